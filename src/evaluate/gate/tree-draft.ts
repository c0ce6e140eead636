import type { TreeFile, TreeFiles } from '#git/index.js';

/** A tree being put together, in which placing a file clears whatever stands in its way. */
export class TreeDraft {
  readonly files: TreeFiles;
  /** How many files lie below each folder, so that clearing a way need not look at every file. */
  private readonly below = new Map<string, number>();

  constructor(files: TreeFiles) {
    this.files = new Map(files);
    for (const path of this.files.keys()) this.count(path, 1);
  }

  get(path: string): TreeFile | undefined {
    return this.files.get(path);
  }

  remove(path: string): void {
    if (this.files.delete(path)) this.count(path, -1);
  }

  /** Puts a file at a path. @returns what had to go: files or links in place of its folders, and a folder in its place */
  place(path: string, file: TreeFile): { path: string; what: 'a link' | 'a file' | 'a folder' }[] {
    const cleared: { path: string; what: 'a link' | 'a file' | 'a folder' }[] = [];
    for (const parent of parents(path)) {
      const inTheWay = this.files.get(parent);
      if (inTheWay === undefined) continue;
      cleared.push({ path: parent, what: inTheWay.mode === '120000' ? 'a link' : 'a file' });
      this.remove(parent);
    }
    if ((this.below.get(path) ?? 0) > 0) {
      cleared.push({ path, what: 'a folder' });
      for (const other of [...this.files.keys()]) if (other.startsWith(`${path}/`)) this.remove(other);
    }
    if (this.files.get(path)?.mode === '120000') cleared.push({ path, what: 'a link' });
    if (!this.files.has(path)) this.count(path, 1);
    this.files.set(path, file);
    return cleared;
  }

  private count(path: string, by: number): void {
    for (const parent of parents(path)) this.below.set(parent, (this.below.get(parent) ?? 0) + by);
  }
}

function parents(path: string): string[] {
  const found: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    found.push(path.slice(0, slash));
  return found;
}
