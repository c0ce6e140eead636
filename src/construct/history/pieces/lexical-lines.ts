import { commonPrefix, commonSuffix } from './common-ends.js';
import { type LexicalLines, LineColumns } from './line-columns.js';

export type { LexicalLines };

export type LexicalFamily = 'python' | 'script' | 'rust' | 'go';

/** The scan that is being made and the one before it: versions of a file come after each other. */
let columns = new LineColumns();
let earlier = new LineColumns();
let earlierSource: Buffer = Buffer.alloc(0);
let earlierFamily: LexicalFamily | null = null;

const NEWLINE = 0x0a;
const BLANK = 0x20;
const TAB = 0x09;
const BACKSLASH = 0x5c;
const SINGLE = 0x27;
const DOUBLE = 0x22;
const BACKTICK = 0x60;
const SLASH = 0x2f;
const STAR = 0x2a;
const HASH = 0x23;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const DOLLAR = 0x24;
const COLON = 0x3a;
const GREATER = 0x3e;

/** What a byte may begin outside strings and comments. */
const PLAIN = 0;
const OPEN = 1;
const CLOSE = 2;
const QUOTE = 3;
const SPECIAL = 4;
const LINE_END = 5;

const TABLES: Record<LexicalFamily, Uint8Array> = {
  python: table('#'),
  script: table('/`'),
  rust: table('/r'),
  go: table('/`'),
};

function table(special: string): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const open of '([{') kinds[open.charCodeAt(0)] = OPEN;
  for (const close of ')]}') kinds[close.charCodeAt(0)] = CLOSE;
  kinds[SINGLE] = QUOTE;
  kinds[DOUBLE] = QUOTE;
  kinds[NEWLINE] = LINE_END;
  for (const sign of special) kinds[sign.charCodeAt(0)] = SPECIAL;
  return kinds;
}

/**
 * Scans a source. The result is valid until the next call.
 * What it misreads (a quote in JSX text, say) costs a cut at most: a piece becomes larger or ends early.
 */
export function lexicalLines(source: Buffer, family: LexicalFamily): LexicalLines {
  const isSequel = earlierFamily === family;
  const prefix = isSequel ? commonPrefix(source, earlierSource) : 0;
  const suffix = isSequel
    ? Math.min(commonSuffix(source, earlierSource), source.length - prefix, earlierSource.length - prefix)
    : 0;
  columns.count = 0;
  new Scanner(source, family, {
    prefix,
    suffixAt: source.length - suffix,
    by: source.length - earlierSource.length,
  }).run();
  const made = columns;
  columns = earlier;
  earlier = made;
  earlierSource = source;
  earlierFamily = family;
  return made;
}

/** What a source has in common with the one scanned before: its first bytes, and those from `suffixAt` on, moved by `by`. */
interface Common {
  prefix: number;
  suffixAt: number;
  by: number;
}

class Scanner {
  private at = 0;
  private depth = 0;
  /** Depths at which a `}` goes back into a template string. */
  private readonly templates: number[] = [];
  private readonly kinds: Uint8Array;
  /** Line of the earlier scan that may be met next. */
  private ahead = 0;

  constructor(
    private readonly source: Buffer,
    private readonly family: LexicalFamily,
    private readonly common: Common,
  ) {
    this.kinds = TABLES[family];
  }

  run(): void {
    const { source, kinds } = this;
    this.startLine(this.skipPrefix());
    while (this.at < source.length) {
      const byte = source[this.at] as number;
      switch (kinds[byte]) {
        case PLAIN:
          this.at += 1;
          break;
        case OPEN:
          this.depth += 1;
          this.at += 1;
          break;
        case CLOSE:
          this.close(byte);
          break;
        case LINE_END:
          this.startLine(this.at + 1);
          break;
        case QUOTE:
          this.quote(byte);
          break;
        default:
          this.special(byte);
      }
    }
  }

  /** Takes the earlier scan's lines up to the last one outside all brackets in the common beginning. @returns where it starts */
  private skipPrefix(): number {
    let line = 0;
    let last = 0;
    for (; line < earlier.count && (earlier.starts[line] ?? 0) <= this.common.prefix; line += 1)
      if (earlier.depths[line] === 0) last = line;
    if (this.common.prefix === 0 || last === 0) return 0;
    columns.take(earlier, { from: 0, to: last, by: 0 });
    this.ahead = last;
    return earlier.starts[last] ?? 0;
  }

  /** In the common end, outside all brackets like the earlier scan was there: the rest is the same. */
  private meets(start: number): boolean {
    const { suffixAt, by } = this.common;
    if (start < suffixAt || this.depth !== 0) return false;
    while (this.ahead < earlier.count && (earlier.starts[this.ahead] ?? 0) + by < start) this.ahead += 1;
    if (
      this.ahead >= earlier.count ||
      (earlier.starts[this.ahead] ?? 0) + by !== start ||
      earlier.depths[this.ahead] !== 0
    )
      return false;
    columns.take(earlier, { from: this.ahead, to: earlier.count, by });
    this.at = this.source.length;
    return true;
  }

  private startLine(start: number): void {
    const { source } = this;
    let at = start;
    while (source[at] === BLANK || source[at] === TAB) at += 1;
    this.at = at;
    // Empty lines belong to what stands before them.
    const first = source[at];
    if (at >= source.length || first === NEWLINE || first === 0x0d || this.meets(start)) return;
    columns.add(start, this.depth, at - start);
  }

  private close(byte: number): void {
    this.at += 1;
    if (byte === CLOSE_BRACE && this.templates[this.templates.length - 1] === this.depth) {
      this.templates.pop();
      this.depth -= 1;
      this.template();
      return;
    }
    if (this.depth > 0) this.depth -= 1;
    columns.sink(this.depth);
  }

  private quote(byte: number): void {
    const { family } = this;
    if (family === 'python') this.pythonString(byte);
    // `don't` is text of a component; no string begins right after a letter.
    else if (family === 'script' && isWordByte(this.source[this.at - 1] ?? 0)) this.at += 1;
    else if (family !== 'rust') this.skipString(byte, false);
    else if (byte === SINGLE) this.rustQuote();
    else this.skipString(byte, true);
  }

  private special(byte: number): void {
    if (byte === HASH) this.skipLine();
    else if (byte === SLASH) this.slash();
    else if (byte === BACKTICK) {
      this.at += 1;
      if (this.family === 'go') this.skipTo(BACKTICK);
      else this.template();
    } else this.rustRaw();
  }

  /** To the closing quote; to the line's end where strings may not span lines. */
  private skipString(quote: number, spansLines: boolean): void {
    const { source } = this;
    let at = this.at + 1;
    for (; at < source.length; at += 1) {
      const byte = source[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === quote) break;
      else if (byte === NEWLINE && !spansLines) {
        this.at = at;
        return;
      }
    }
    this.at = at + 1;
  }

  private pythonString(quote: number): void {
    const { source, at } = this;
    if (source[at + 1] !== quote || source[at + 2] !== quote) {
      this.skipString(quote, false);
      return;
    }
    let end = at + 3;
    for (; end < source.length; end += 1) {
      if (source[end] === BACKSLASH) end += 1;
      else if (source[end] === quote && source[end + 1] === quote && source[end + 2] === quote) break;
    }
    this.at = end + 3;
  }

  private skipTo(byte: number): void {
    const end = this.source.indexOf(byte, this.at);
    this.at = end < 0 ? this.source.length : end + 1;
  }

  private skipLine(): void {
    const end = this.source.indexOf(NEWLINE, this.at);
    this.at = end < 0 ? this.source.length : end;
  }

  private slash(): void {
    const { source, family } = this;
    const next = source[this.at + 1];
    // `https://` and `/>` are text and tags of components.
    if (family === 'script' && ((next === SLASH && source[this.at - 1] === COLON) || next === GREATER)) this.at += 2;
    else if (next === SLASH) this.skipLine();
    else if (next === STAR) this.skipComment();
    else if (family === 'script' && this.mayBeginPattern()) this.skipPattern();
    else this.at += 1;
  }

  private skipComment(): void {
    const { source } = this;
    let open = 1;
    let at = this.at + 2;
    for (; at < source.length && open > 0; at += 1) {
      if (source[at] === STAR && source[at + 1] === SLASH) {
        open -= 1;
        at += 1;
      } else if (this.family === 'rust' && source[at] === SLASH && source[at + 1] === STAR) {
        open += 1;
        at += 1;
      }
    }
    this.at = at;
  }

  /** After an operator, an opening bracket or `return`, a slash begins a regular expression. */
  private mayBeginPattern(): boolean {
    const { source } = this;
    let before = this.at - 1;
    while (before >= 0 && (source[before] === BLANK || source[before] === TAB)) before -= 1;
    if (before < 0 || source[before] === NEWLINE) return true;
    if (PATTERN_BEFORE[source[before] as number] === 1) return true;
    return /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|yield|await)$/.test(
      source.toString('latin1', Math.max(0, before - 10), before + 1),
    );
  }

  private skipPattern(): void {
    const { source } = this;
    let inClass = false;
    for (let at = this.at + 1; at < source.length; at += 1) {
      const byte = source[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === NEWLINE) break;
      else if (byte === 0x5b) inClass = true;
      else if (byte === 0x5d) inClass = false;
      else if (byte === SLASH && !inClass) {
        this.at = at + 1;
        return;
      }
    }
    this.at += 1;
  }

  /** From inside a template string to its end, or to a `${` whose `}` comes back here. */
  private template(): void {
    const { source } = this;
    for (let at = this.at; at < source.length; at += 1) {
      const byte = source[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === BACKTICK) {
        this.at = at + 1;
        return;
      } else if (byte === DOLLAR && source[at + 1] === OPEN_BRACE) {
        this.depth += 1;
        this.templates.push(this.depth);
        this.at = at + 2;
        return;
      }
    }
    this.at = source.length;
  }

  /** A character (`'x'`, `'\n'`) or a lifetime (`'a`). */
  private rustQuote(): void {
    const { source, at } = this;
    if (source[at + 1] === BACKSLASH) {
      this.skipString(SINGLE, false);
      return;
    }
    for (let end = at + 2; end <= at + 5 && source[end] !== NEWLINE; end += 1) {
      if (source[end] !== SINGLE) continue;
      this.at = end + 1;
      return;
    }
    this.at += 1;
  }

  /** `r"…"`, `r#"…"#`; any other `r` is a letter. */
  private rustRaw(): void {
    const { source } = this;
    const before = source[this.at - 1] ?? 0;
    let at = this.at + 1;
    let hashes = 0;
    while (source[at] === HASH) {
      hashes += 1;
      at += 1;
    }
    if (source[at] !== DOUBLE || (isWordByte(before) && before !== 0x62)) {
      this.at += 1;
      return;
    }
    const end = source.indexOf(`"${'#'.repeat(hashes)}`, at + 1);
    this.at = end < 0 ? source.length : end + 1 + hashes;
  }
}

const PATTERN_BEFORE = new Uint8Array(256);
for (const sign of '(,=:[!&|?{};+-*%~^') PATTERN_BEFORE[sign.charCodeAt(0)] = 1;

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte >= 0x80
  );
}
