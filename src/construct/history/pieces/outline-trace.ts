import type { Piece } from './cut-pieces.js';

/** How far ahead a trace looks for the place where two versions run together again. */
const LOOK_AHEAD = 48;

/**
 * The pieces of the version that was read last. The next version of a file is mostly the same, so its pieces are first
 * compared byte by byte with these, in order; that is far cheaper than looking each up by its text.
 */
export class OutlineTrace {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly outers: number[] = [];
  private readonly ids: number[] = [];
  private at = 0;

  constructor(
    private readonly source: Buffer,
    readonly language: string,
  ) {}

  add(piece: Piece, outer: number, id: number): void {
    this.starts.push(piece.start);
    this.ends.push(piece.end);
    // A shell's text is its head and tail: it is always looked up.
    this.outers.push(piece.isShell ? -2 : outer);
    this.ids.push(id);
  }

  /** The id of the piece, if it is the one that comes next here; -1 otherwise. */
  match(source: Buffer, piece: Piece, outer: number): number {
    const { at } = this;
    const start = this.starts[at];
    const end = this.ends[at];
    if (
      start === undefined ||
      end === undefined ||
      this.outers[at] !== outer ||
      end - start !== piece.end - piece.start
    )
      return -1;
    if (source.compare(this.source, start, end, piece.start, piece.end) !== 0) return -1;
    this.at = at + 1;
    return this.ids[at] ?? -1;
  }

  /** A piece was looked up: from where it stands here the versions may run together. */
  follow(id: number): void {
    for (let at = this.at; at < this.ids.length && at < this.at + LOOK_AHEAD; at += 1) {
      if (this.ids[at] !== id) continue;
      this.at = at + 1;
      return;
    }
  }
}
