import type { TreeColumns } from './syntax-tree.js';
import type { TreeWalker } from './tree-walker.js';

interface Flattened {
  columns: TreeColumns;
  parseErrors: number;
}

/** Type ids of error nodes as the parser gives them. */
const FIRST_ERROR_TYPE = 65534;

/** Beyond this many rows the working columns are given back instead of being kept for the next file. */
const KEPT_ROWS = 1 << 19;

let working: GrowingColumns | null = null;

/** Reads a parser's tree into columns in one go, in preorder, without recursion. The walker is used up but not closed. */
export function flattenTree(walker: TreeWalker, named: readonly boolean[]): Flattened {
  // Reading a tree never waits, so one set of working columns serves all.
  const rows = working ?? new GrowingColumns(1 << 14);
  rows.clear();
  working = rows.rowsHeld <= KEPT_ROWS ? rows : null;
  let parseErrors = 0;
  let parent = -1;
  let previous = -1;
  for (;;) {
    const type = walker.typeId();
    const start = walker.start();
    const end = walker.end();
    const isNamed = named[type] ?? true;
    const row = rows.add(type, start, end, isNamed ? walker.fieldId() : 0, parent, previous);
    if (type >= FIRST_ERROR_TYPE) parseErrors += 1;
    if (isNamed && walker.toFirstChild()) {
      parent = row;
      previous = -1;
      continue;
    }
    if (start === end && walker.isMissing()) parseErrors += 1;
    let last = row;
    while (!walker.toNextSibling()) {
      if (last !== row) rows.close(last);
      if (parent < 0 || !walker.toParent()) return { columns: rows.finish(), parseErrors };
      last = parent;
      parent = rows.parentOf(parent);
    }
    if (last !== row) rows.close(last);
    previous = last;
  }
}

class GrowingColumns {
  private count = 0;
  private types: Uint16Array;
  private starts: Uint32Array;
  private ends: Uint32Array;
  private fields: Uint8Array;
  private parents: Int32Array;
  private subtreeEnds: Int32Array;
  private previousSiblings: Int32Array;

  constructor(private capacity: number) {
    this.types = new Uint16Array(capacity);
    this.starts = new Uint32Array(capacity);
    this.ends = new Uint32Array(capacity);
    this.fields = new Uint8Array(capacity);
    this.parents = new Int32Array(capacity);
    this.subtreeEnds = new Int32Array(capacity);
    this.previousSiblings = new Int32Array(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  get rowsHeld(): number {
    return this.capacity;
  }

  add(type: number, start: number, end: number, field: number, parent: number, previous: number): number {
    const row = this.count;
    if (row === this.capacity) this.grow();
    this.types[row] = type;
    this.starts[row] = start;
    this.ends[row] = end;
    this.fields[row] = field;
    this.parents[row] = parent;
    this.previousSiblings[row] = previous;
    this.subtreeEnds[row] = row + 1;
    this.count = row + 1;
    return row;
  }

  /** All descendants of the row have been added. */
  close(row: number): void {
    this.subtreeEnds[row] = this.count;
  }

  parentOf(row: number): number {
    return this.parents[row] ?? -1;
  }

  /** Copies cut to size: the working columns go on to the next file. */
  finish(): TreeColumns {
    const { count } = this;
    return {
      count,
      types: this.types.slice(0, count),
      starts: this.starts.slice(0, count),
      ends: this.ends.slice(0, count),
      fields: this.fields.slice(0, count),
      parents: this.parents.slice(0, count),
      subtreeEnds: this.subtreeEnds.slice(0, count),
      previousSiblings: this.previousSiblings.slice(0, count),
    };
  }

  private grow(): void {
    this.capacity *= 2;
    const larger = <T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(fresh: T, old: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.types = larger(new Uint16Array(this.capacity), this.types);
    this.starts = larger(new Uint32Array(this.capacity), this.starts);
    this.ends = larger(new Uint32Array(this.capacity), this.ends);
    this.fields = larger(new Uint8Array(this.capacity), this.fields);
    this.parents = larger(new Int32Array(this.capacity), this.parents);
    this.subtreeEnds = larger(new Int32Array(this.capacity), this.subtreeEnds);
    this.previousSiblings = larger(new Int32Array(this.capacity), this.previousSiblings);
  }
}
