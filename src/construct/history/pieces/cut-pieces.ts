import { type LexicalFamily, type LexicalLines, lexicalLines } from './lexical-lines.js';

/**
 * A part of a file that can be parsed by itself: a statement of the file, a statement of a class-like body (put back
 * into the body's head and tail for parsing), or that head and tail without what is inside.
 */
export interface Piece {
  start: number;
  end: number;
  /** The body that the piece belongs to, or null at the top. */
  shell: Shell | null;
  /** The head and tail themselves. */
  isShell: boolean;
}

export interface Shell {
  /** The body that this one stands in. */
  outer: Shell | null;
  start: number;
  /** End of the head; the body's first byte. */
  headEnd: number;
  /** End of the body; the tail's first byte. */
  tailStart: number;
  end: number;
}

/** Bodies shorter than this are parsed in one go. */
const SPLIT_FROM_BYTES = 700;
/** Longer heads would be parsed too often. */
const MAX_HEAD_BYTES = 600;
const MAX_LEVELS = 4;

/** Cuts a source into pieces that together cover it, in order. A source that cannot be cut is one piece. */
export function cutPieces(source: Buffer, family: LexicalFamily): Piece[] {
  const cutter = new Cutter(source, family, lexicalLines(source, family));
  cutter.cutRange({ from: 0, to: cutter.lineCount, start: 0, end: source.length, depth: 0, indent: 0 }, null, 0);
  return cutter.pieces;
}

interface Range {
  /** Lines of the range. */
  from: number;
  to: number;
  /** Bytes of the range. */
  start: number;
  end: number;
  /** Depth and indentation of the statements to be cut. */
  depth: number;
  indent: number;
}

const CONTINUES_SCRIPT =
  /^(?:[.?:+\-*/=&|,)\]}{<>]|(?:else|catch|finally|extends|implements|as|satisfies|while)(?=[\s{]|$)|=>)/;
const CONTINUES_RUST = /^(?:[.?:+\-*=&|,)\]}{<>]|(?:else|where)\b)/;
const CONTINUES_PYTHON = /^(?:[)\]}]|(?:else|elif|except|finally)\b|"""|''')/;
const LEADS: Record<LexicalFamily, RegExp> = {
  python: /^(?:#|@)/,
  script: /^(?:\/\/|\/\*|\*|@)/,
  rust: /^(?:\/\/|\/\*|\*|#!?\[)/,
  go: /^(?:\/\/|\/\*|\*)/,
};
/** Heads whose bodies are cut further: containers of definitions, and calls that take a callback (test suites). */
const SHELL_HEADS: Record<LexicalFamily, RegExp> = {
  python: /(?:^|\n)class\s[^\n]*(?:\n[^\n]*)*:[^\n:]*\n$/,
  script:
    /(?:^|\n)[ \t]*(?:(?:export\s+|default\s+|declare\s+|abstract\s+)*(?:class|interface|namespace|module|enum)\b|[\w$]+(?:\.[\w$]+)*(?:\.each\([^\n]*\))?\((?:[^\n]*)(?:=>|function\s*\w*\([^)]*\))\s*\{[ \t\r]*\n$)/,
  rust: /(?:^|\n)[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:impl|trait|mod)\b/,
  go: /$^/,
};

class Cutter {
  readonly pieces: Piece[] = [];

  constructor(
    private readonly source: Buffer,
    private readonly family: LexicalFamily,
    private readonly lines: LexicalLines,
  ) {}

  get lineCount(): number {
    return this.lines.count;
  }

  cutRange(range: Range, shell: Shell | null, level: number): void {
    const firsts = this.statementLines(range);
    firsts.forEach((line, index) => {
      const next = firsts[index + 1];
      const start = index === 0 ? range.start : this.startOf(line);
      const end = next === undefined ? range.end : this.startOf(next);
      const to = next ?? range.to;
      const inner =
        end - start < SPLIT_FROM_BYTES || level >= MAX_LEVELS
          ? null
          : this.bodyOf({ ...range, from: line, to, start, end });
      if (inner === null) this.pieces.push({ start, end, shell, isShell: false });
      else {
        const own: Shell = { outer: shell, start, headEnd: inner.start, tailStart: inner.end, end };
        this.pieces.push({ start, end, shell: own, isShell: true });
        this.cutRange(inner, own, level + 1);
      }
    });
    if (firsts.length === 0 && range.end > range.start)
      this.pieces.push({ start: range.start, end: range.end, shell, isShell: false });
  }

  /** Lines at which statements of the range begin; what leads a statement (comments, decorators) belongs to it. */
  private statementLines({ from, to, depth, indent }: Range): number[] {
    const firsts: number[] = [];
    let leadOnly = false;
    for (let line = from; line < to; line += 1) {
      if (this.lines.depths[line] !== depth || this.lines.indents[line] !== indent) continue;
      const text = this.textAt(line);
      const isLead = LEADS[this.family].test(text);
      if (!isLead && this.continues(text, line)) {
        leadOnly = false;
        continue;
      }
      if (!leadOnly) firsts.push(line);
      leadOnly = isLead;
    }
    return firsts;
  }

  private continues(text: string, line: number): boolean {
    if (this.family === 'python') return CONTINUES_PYTHON.test(text) || this.endsInBackslash(this.startOf(line) - 1);
    return (this.family === 'rust' ? CONTINUES_RUST : CONTINUES_SCRIPT).test(text);
  }

  private endsInBackslash(newlineAt: number): boolean {
    return this.source[newlineAt - 1] === 0x5c;
  }

  /** The body of a container, if the range is one that can be cut: contiguous and closed by the range's last line. */
  private bodyOf(range: Range): Range | null {
    const { lines } = this;
    let first = range.from;
    while (first < range.to && LEADS[this.family].test(this.textAt(first))) first += 1;
    first += 1;
    while (first < range.to && !this.isInner(first, range)) first += 1;
    if (first >= range.to) return null;
    const start = this.startOf(first);
    if (
      start - range.start > MAX_HEAD_BYTES ||
      !SHELL_HEADS[this.family].test(this.source.toString('latin1', range.start, start))
    )
      return null;
    const depth = lines.depths[first] ?? 0;
    let to = range.to;
    if (this.family !== 'python') {
      to = range.to - 1;
      // The tail is the last line; nothing between may leave the body.
      if ((lines.depths[to] ?? 0) !== depth || !/^[)\]}]/.test(this.textAt(to))) return null;
      for (let line = first; line < to; line += 1) if ((lines.lowest[line] ?? 0) < depth) return null;
    }
    const end = to < range.to ? this.startOf(to) : range.end;
    return { from: first, to, start, end, depth, indent: lines.indents[first] ?? 0 };
  }

  private isInner(line: number, { depth, indent }: Range): boolean {
    if (this.family === 'python') return this.lines.depths[line] === depth && (this.lines.indents[line] ?? 0) > indent;
    return (this.lines.depths[line] ?? 0) > depth && /\{[^\n{}]*$/.test(this.lineBefore(line));
  }

  private lineBefore(line: number): string {
    const end = this.startOf(line);
    return this.source.toString('latin1', this.startOf(line - 1), end).trimEnd();
  }

  private startOf(line: number): number {
    return this.lines.starts[line] ?? this.source.length;
  }

  /** The first characters of a line after its blanks. */
  private textAt(line: number): string {
    const at = this.startOf(line) + (this.lines.indents[line] ?? 0);
    return this.source.toString('latin1', at, Math.min(at + 12, this.source.length));
  }
}
