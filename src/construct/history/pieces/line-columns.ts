/**
 * The lines of a source at which the lexer stands outside strings and comments, with the bracket depth there: enough
 * to cut a file into statements without parsing it. Bytes in, byte offsets out.
 */
export interface LexicalLines {
  count: number;
  /** Offset of the line's first byte. */
  starts: Int32Array;
  /** Open brackets at the line's start. */
  depths: Int32Array;
  /** Fewest open brackets anywhere in the line and in the unclean lines after it. */
  lowest: Int32Array;
  /** Blanks and tabs before the first other byte. */
  indents: Int32Array;
}

/** Columns that are used again for every file, so that scanning allocates nothing. */
export class LineColumns implements LexicalLines {
  count = 0;
  starts: Int32Array = new Int32Array(4096);
  depths: Int32Array = new Int32Array(4096);
  lowest: Int32Array = new Int32Array(4096);
  indents: Int32Array = new Int32Array(4096);

  add(start: number, depth: number, indent: number): void {
    if (this.count === this.starts.length) this.grow();
    this.starts[this.count] = start;
    this.depths[this.count] = depth;
    this.lowest[this.count] = depth;
    this.indents[this.count] = indent;
    this.count += 1;
  }

  /** Takes lines of another scan, moved by so many bytes. */
  take(other: LineColumns, { from, to, by }: { from: number; to: number; by: number }): void {
    for (let line = from; line < to; line += 1) {
      this.add((other.starts[line] ?? 0) + by, other.depths[line] ?? 0, other.indents[line] ?? 0);
      this.lowest[this.count - 1] = other.lowest[line] ?? 0;
    }
  }

  sink(depth: number): void {
    const last = this.count - 1;
    if (depth < (this.lowest[last] ?? 0)) this.lowest[last] = depth;
  }

  private grow(): void {
    const larger = (old: Int32Array): Int32Array => {
      const fresh = new Int32Array(old.length * 2);
      fresh.set(old);
      return fresh;
    };
    this.starts = larger(this.starts);
    this.depths = larger(this.depths);
    this.lowest = larger(this.lowest);
    this.indents = larger(this.indents);
  }
}
