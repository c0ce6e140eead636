import { pathBytes, pathKey } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import type { ObjectReader } from './object-reader.js';

export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface TreeFile {
  mode: FileMode;
  oid: string;
}

/** A whole tree, flat: path key (see `pathKey`) to mode and object id. Order is not meaningful. */
export type TreeFiles = Map<string, TreeFile>;

interface TreeEntry {
  /** Latin-1 key of one path component. */
  name: string;
  mode: string;
  oid: string;
}

/** Reads trees through one object reader and keeps parsed folders, which neighbouring states mostly share. */
export class TreeReader {
  private readonly parsed = new Map<string, TreeEntry[]>();

  constructor(
    private readonly reader: ObjectReader,
    /** Hears of every tree that is there, so that it is not written again. */
    private readonly seen: (oid: string) => void = () => undefined,
  ) {}

  /** All files of a tree object. @throws Fault `object-missing` (input) in a partial or damaged repository */
  async files(treeOid: string): Promise<TreeFiles> {
    const files: TreeFiles = new Map();
    let level: { prefix: string; oid: string }[] = [{ prefix: '', oid: treeOid }];
    while (level.length > 0) {
      const folders = await Promise.all(
        level.map(async ({ prefix, oid }) => ({ prefix, entries: await this.entries(oid) })),
      );
      level = [];
      for (const { prefix, entries } of folders) {
        for (const entry of entries) {
          const path = prefix + entry.name;
          if (entry.mode === '40000') level.push({ prefix: `${path}/`, oid: entry.oid });
          else files.set(path, { mode: fileMode(entry.mode), oid: entry.oid });
        }
      }
    }
    return files;
  }

  private async entries(oid: string): Promise<TreeEntry[]> {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    const object = await this.reader.read(oid);
    if (object === null || object.type !== 'tree') throw missingObject('tree', oid);
    const entries = parseTree(object.content, oid.length / 2);
    this.seen(oid);
    this.parsed.set(oid, entries);
    return entries;
  }
}

export function missingObject(type: string, oid: string): Fault {
  return new Fault({
    code: 'object-missing',
    kind: 'input',
    message: `${type} ${oid} is not in the repository`,
    hint: 'A shallow or partial clone lacks objects; fetch them all (git fetch --unshallow, git fetch --refetch --no-filter) and try again.',
  });
}

function fileMode(mode: string): FileMode {
  if (mode === '100755' || mode === '120000' || mode === '160000') return mode;
  // 100664 and other historic modes mean a plain file.
  return '100644';
}

function parseTree(content: Buffer, oidBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const blank = content.indexOf(0x20, at);
    const end = content.indexOf(0, blank);
    entries.push({
      mode: content.toString('latin1', at, blank),
      name: content.toString('latin1', blank + 1, end),
      oid: content.toString('hex', end + 1, end + 1 + oidBytes),
    });
    at = end + 1 + oidBytes;
  }
  return entries;
}

/** The tree objects (id, bytes) that a flat tree consists of, root last. Git's own order of entries is kept. */
export function buildTrees(
  files: TreeFiles,
  hash: (type: 'tree', content: Buffer) => string,
): { root: string; trees: Map<string, Buffer> } {
  interface Folder {
    files: Map<string, TreeFile>;
    folders: Map<string, Folder>;
  }
  const newFolder = (): Folder => ({ files: new Map(), folders: new Map() });
  const top = newFolder();
  for (const [path, file] of files) {
    const parts = path.split('/');
    const name = parts.pop() as string;
    let folder = top;
    for (const part of parts) {
      let next = folder.folders.get(part);
      if (next === undefined) {
        next = newFolder();
        folder.folders.set(part, next);
      }
      folder = next;
    }
    folder.files.set(name, file);
  }
  const trees = new Map<string, Buffer>();
  const build = (folder: Folder): string => {
    const rows: { sortKey: string; bytes: Buffer }[] = [];
    for (const [name, sub] of folder.folders) {
      // A folder sorts as if its name ended in a slash (git's base_name_compare).
      rows.push({ sortKey: `${name}/`, bytes: entryBytes('40000', name, build(sub)) });
    }
    for (const [name, file] of folder.files) rows.push({ sortKey: name, bytes: entryBytes(file.mode, name, file.oid) });
    rows.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0));
    const content = Buffer.concat(rows.map((row) => row.bytes));
    const oid = hash('tree', content);
    trees.set(oid, content);
    return oid;
  };
  return { root: build(top), trees };
}

function entryBytes(mode: string, name: string, oid: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `, 'latin1'), pathBytes(name), Buffer.from([0]), Buffer.from(oid, 'hex')]);
}

/** Paths whose file differs between two trees, each with both sides (null: absent), sorted by key. */
export function diffTrees(
  before: TreeFiles,
  after: TreeFiles,
): { path: string; before: TreeFile | null; after: TreeFile | null }[] {
  const changes: { path: string; before: TreeFile | null; after: TreeFile | null }[] = [];
  for (const [path, old] of before) {
    const now = after.get(path) ?? null;
    if (now === null || now.oid !== old.oid || now.mode !== old.mode) changes.push({ path, before: old, after: now });
  }
  for (const [path, now] of after) if (!before.has(path)) changes.push({ path, before: null, after: now });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The key of a path given as text by the program itself (ASCII or UTF-8). */
export function keyOfText(path: string): string {
  return pathKey(Buffer.from(path, 'utf8'));
}
