import { type RawRecord, type RawWalkSink, RENAME_LIMIT } from '#git/index.js';
import { certain } from '#kernel/faults.js';
import { bytesColumn, countsColumn, GrowingBytes } from './growing-column.js';
import { EXACT_RENAMES_ONLY, type RawColumns } from './raw-columns.js';
import { topologicalOrder } from './topological-order.js';

const STATUS = { A: 0x41, D: 0x44 };

/** Receives a raw walk in whatever order its streams come, and puts it in topological order at the end. */
export class RawCollector implements RawWalkSink {
  private readonly commitIndex = new Map<string, number>();
  private readonly commitNames: string[] = [];
  private readonly parentNames: string[][] = [];
  private readonly contents = new GrowingBytes();
  private readonly contentAt: number[] = [];
  private readonly contentLengths: number[] = [];
  /** By change, whose it is: records of one commit need not come one after the other. */
  private readonly owners = countsColumn();
  private readonly objectIndex = new Map<string, number>();
  private readonly objectNames: string[] = [];
  private readonly pathIndex = new Map<string, number>();
  private readonly paths = countsColumn();
  private readonly froms = countsColumn();
  private readonly oldIds = countsColumn();
  private readonly newIds = countsColumn();
  private readonly statuses = bytesColumn();
  private readonly kinds = bytesColumn();
  private lastCommit = '';
  private lastIndex = -1;

  commit(id: string, parents: string[]): void {
    if (this.objectNames.length === 0) this.objectId('0'.repeat(id.length));
    this.commitIndex.set(id, this.commitNames.length);
    this.commitNames.push(id);
    this.parentNames.push(parents);
    this.contentAt.push(0);
    this.contentLengths.push(0);
  }

  content(id: string, bytes: Buffer): void {
    const index = this.indexOf(id);
    this.contentAt[index] = this.contents.length;
    this.contentLengths[index] = bytes.length;
    this.contents.push(bytes);
  }

  record(commit: string, record: RawRecord): void {
    this.owners.push(this.indexOf(commit));
    this.paths.push(intern(this.pathIndex, record.path));
    this.froms.push(record.from === null ? 0 : intern(this.pathIndex, record.from) + 1);
    this.oldIds.push(this.objectId(record.oldOid));
    this.newIds.push(this.objectId(record.newOid));
    this.statuses.push(record.status.charCodeAt(0));
    this.kinds.push(kindOf(record.oldMode) | (kindOf(record.newMode) << 4));
  }

  /** The columns; the collector is used up. */
  finish(): RawColumns {
    const parents = this.parentNames.map((names) => names.map((name) => this.commitIndex.get(name) ?? -1));
    const order = topologicalOrder(parents);
    const placeOf = new Int32Array(order.length);
    order.forEach((index, place) => {
      placeOf[index] = place;
    });
    return { ...this.commitColumns(order, placeOf, parents), ...this.changeColumns(placeOf), ...this.names() };
  }

  private indexOf(id: string): number {
    if (id !== this.lastCommit) {
      this.lastCommit = id;
      this.lastIndex = certain(this.commitIndex.get(id), `commit ${id}`);
    }
    return this.lastIndex;
  }

  private objectId(name: string): number {
    const known = this.objectIndex.get(name);
    if (known !== undefined) return known;
    this.objectIndex.set(name, this.objectNames.length);
    this.objectNames.push(name);
    return this.objectNames.length - 1;
  }

  private commitColumns(order: Int32Array, placeOf: Int32Array, parents: readonly number[][]) {
    const commitIds = Buffer.from(Array.from(order, (index) => this.commitNames[index]).join(''), 'hex');
    const parentStarts = new Uint32Array(order.length + 1);
    const flat: number[] = [];
    const contentStarts = new Float64Array(order.length + 1);
    const contents = Buffer.allocUnsafe(this.contents.length);
    const held = this.contents.values();
    let written = 0;
    order.forEach((index, place) => {
      for (const parent of parents[index] ?? []) flat.push(parent < 0 ? -1 : (placeOf[parent] ?? -1));
      parentStarts[place + 1] = flat.length;
      const at = this.contentAt[index] ?? 0;
      written += held.copy(contents, written, at, at + (this.contentLengths[index] ?? 0));
      contentStarts[place + 1] = written;
    });
    return { commitIds, parentStarts, parents: Int32Array.from(flat), contentStarts, contents };
  }

  private changeColumns(placeOf: Int32Array) {
    const total = this.paths.length;
    const owners = this.owners.values();
    const changeStarts = new Uint32Array(placeOf.length + 1);
    for (const owner of owners) countUp(changeStarts, (placeOf[owner] as number) + 1);
    for (let place = 0; place < placeOf.length; place += 1)
      changeStarts[place + 1] = (changeStarts[place + 1] as number) + (changeStarts[place] as number);
    const next = changeStarts.slice();
    const moved = new Uint32Array(total);
    owners.forEach((owner, change) => {
      moved[countUp(next, placeOf[owner] as number)] = change;
    });
    const pick = <T extends Uint8Array | Uint32Array>(fresh: T, old: T): T => {
      for (let at = 0; at < total; at += 1) fresh[at] = old[moved[at] as number] as number;
      return fresh;
    };
    const changeStatuses = pick(new Uint8Array(total), this.statuses.values());
    return {
      changeStarts,
      commitFlags: massFlags(changeStatuses, changeStarts),
      changePaths: pick(new Uint32Array(total), this.paths.values()),
      changeFroms: pick(new Uint32Array(total), this.froms.values()),
      changeOldIds: pick(new Uint32Array(total), this.oldIds.values()),
      changeNewIds: pick(new Uint32Array(total), this.newIds.values()),
      changeStatuses,
      changeKinds: pick(new Uint8Array(total), this.kinds.values()),
    };
  }

  private names() {
    return {
      objectIds: Buffer.from(this.objectNames.join(''), 'hex'),
      paths: Buffer.from([...this.pathIndex.keys()].map((path) => `${path}\0`).join(''), 'latin1'),
      missing: new Uint32Array(0),
    };
  }
}

function intern(index: Map<string, number>, name: string): number {
  const known = index.get(name);
  if (known !== undefined) return known;
  index.set(name, index.size);
  return index.size - 1;
}

/** Adds one to a count. @returns what it was before */
function countUp(counts: Uint32Array, at: number): number {
  const before = counts[at] as number;
  counts[at] = before + 1;
  return before;
}

/** Flags of each commit, by its changes' statuses. */
function massFlags(statuses: Uint8Array, changeStarts: Uint32Array): Uint8Array {
  const flags = new Uint8Array(changeStarts.length - 1);
  for (let place = 0; place < flags.length; place += 1)
    if (isMass(statuses.subarray(changeStarts[place], changeStarts[place + 1]))) flags[place] = EXACT_RENAMES_ONLY;
  return flags;
}

/** More left-over pairs than git compares: only equal contents were paired. */
function isMass(statuses: Uint8Array): boolean {
  if (statuses.length <= RENAME_LIMIT) return false;
  let added = 0;
  let deleted = 0;
  for (const status of statuses) {
    if (status === STATUS.A) added += 1;
    else if (status === STATUS.D) deleted += 1;
  }
  return added * deleted > RENAME_LIMIT * RENAME_LIMIT;
}

/** Index into `ENTRY_KINDS`. */
function kindOf(mode: number): number {
  const type = mode >> 12;
  if (type === 0) return 0;
  if (type === 0o12) return 3;
  if (type === 0o16) return 4;
  return (mode & 0o111) === 0 ? 1 : 2;
}
