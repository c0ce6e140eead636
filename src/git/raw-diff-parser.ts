/** One record of a raw diff. Paths are keys as of `pathKey`; ids are full, all zeros where there is nothing. */
export interface RawRecord {
  oldMode: number;
  newMode: number;
  oldOid: string;
  newOid: string;
  /** `A` `C` `D` `M` `R` `T` `U` `X`. */
  status: string;
  path: string;
  /** The path before a rename or copy, else null. */
  from: string | null;
}

export interface RawDiffSink {
  commit(id: string): void;
  record(record: RawRecord): void;
}

const NUL = 0;
const COLON = 0x3a;
const DIGIT_0 = 0x30;
/** `:100644 100644 ` */
const MODES_LENGTH = 15;

/**
 * Reads `diff-tree --stdin --raw -z` as it streams: `<commit id>\0` and then `:<modes> <ids> <status>\0<path>\0`,
 * with a second path for renames and copies. Bytes in, bytes out: nothing is decoded, quoted or split at blanks.
 */
export class RawDiffParser {
  private held: Buffer = Buffer.alloc(0);

  constructor(private readonly sink: RawDiffSink) {}

  push(chunk: Buffer): void {
    const data = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    let at = 0;
    while (at < data.length) {
      const next = data[at] === COLON ? this.readRecord(data, at) : this.readCommit(data, at);
      if (next < 0) break;
      at = next;
    }
    // A copy: the chunk's memory belongs to the stream.
    this.held = at === data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(at));
  }

  /** True where the stream ended between two records. */
  get isComplete(): boolean {
    return this.held.length === 0;
  }

  private readCommit(data: Buffer, at: number): number {
    const end = data.indexOf(NUL, at);
    if (end < 0) return -1;
    this.sink.commit(data.toString('latin1', at, end));
    return end + 1;
  }

  private readRecord(data: Buffer, at: number): number {
    const headEnd = data.indexOf(NUL, at + MODES_LENGTH);
    if (headEnd < 0) return -1;
    const idsAt = at + MODES_LENGTH;
    const idLength = data.indexOf(0x20, idsAt) - idsAt;
    const statusAt = idsAt + 2 * (idLength + 1);
    const status = data.toString('latin1', statusAt, statusAt + 1);
    const firstEnd = data.indexOf(NUL, headEnd + 1);
    if (firstEnd < 0) return -1;
    const first = data.toString('latin1', headEnd + 1, firstEnd);
    let second: string | null = null;
    let end = firstEnd;
    if (status === 'R' || status === 'C') {
      end = data.indexOf(NUL, firstEnd + 1);
      if (end < 0) return -1;
      second = data.toString('latin1', firstEnd + 1, end);
    }
    this.sink.record({
      oldMode: octal(data, at + 1),
      newMode: octal(data, at + 8),
      oldOid: data.toString('latin1', idsAt, idsAt + idLength),
      newOid: data.toString('latin1', idsAt + idLength + 1, statusAt - 1),
      status,
      path: second ?? first,
      from: second === null ? null : first,
    });
    return end + 1;
  }
}

function octal(data: Buffer, at: number): number {
  let value = 0;
  for (let index = at; index < at + 6; index += 1) value = value * 8 + (data[index] as number) - DIGIT_0;
  return value;
}
