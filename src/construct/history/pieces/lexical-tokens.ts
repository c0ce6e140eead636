/** The tokens of a piece of source, without comments and white space. */
export interface Tokens {
  /** `w` word, `n` number, `s` string as written, `p` punctuation, `l` end of a Python line (text: its indentation after). */
  kinds: string[];
  texts: string[];
  starts: number[];
  ends: number[];
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const BACKTICK = 0x60;
const HASH = 0x23;

/** What a token may begin with: 1 letter, 2 digit, 3 quote, 4 blank; everything else is punctuation. */
const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(sign)) KINDS[code] = 1;
  else if (/[0-9]/.test(sign)) KINDS[code] = 2;
  else if (/["'`]/.test(sign)) KINDS[code] = 3;
  else if (/[ \t\r\f\v]/.test(sign)) KINDS[code] = 4;
}

function isWordCode(code: number): boolean {
  return code >= 128 || KINDS[code] === 1 || KINDS[code] === 2;
}

abstract class Tokenizer implements Tokens {
  kinds: string[] = [];
  texts: string[] = [];
  starts: number[] = [];
  ends: number[] = [];
  protected at = 0;

  constructor(protected readonly text: string) {}

  run(): Tokens {
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      const kind = code >= 128 ? 1 : KINDS[code];
      if (kind === 4) this.at += 1;
      else if (kind === 1) this.word();
      else if (kind === 2) this.take('n', this.wordEnd(this.at, true));
      else if (kind === 3) this.quote(code);
      else this.sign(code);
    }
    return this;
  }

  protected take(kind: string, end: number): void {
    this.kinds.push(kind);
    this.texts.push(this.text.slice(this.at, end));
    this.starts.push(this.at);
    this.ends.push(end);
    this.at = end;
  }

  protected wordEnd(start: number, dots = false): number {
    let end = start + 1;
    while (end < this.text.length) {
      const code = this.text.charCodeAt(end);
      if (!isWordCode(code) && !(dots && code === 0x2e)) break;
      end += 1;
    }
    return end;
  }

  /** The end of a string that stays on its line. */
  protected lineStringEnd(start: number, quote: number): number {
    const { text } = this;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === quote) return at + 1;
      else if (code === NEWLINE) return at;
    }
    return text.length;
  }

  protected lineEnd(): number {
    const end = this.text.indexOf('\n', this.at);
    return end < 0 ? this.text.length : end;
  }

  protected word(): void {
    this.take('w', this.wordEnd(this.at));
  }

  protected abstract quote(code: number): void;
  protected abstract sign(code: number): void;
}

class PythonTokenizer extends Tokenizer {
  private depth = 0;

  protected override word(): void {
    const end = this.wordEnd(this.at);
    const next = this.text.charCodeAt(end);
    if (end - this.at <= 2 && (next === 0x22 || next === 0x27) && /^[rRbBuUfFtT]+$/.test(this.text.slice(this.at, end)))
      this.take('s', this.stringEnd(end, next));
    else this.take('w', end);
  }

  protected quote(code: number): void {
    if (code === BACKTICK) this.take('p', this.at + 1);
    else this.take('s', this.stringEnd(this.at, code));
  }

  protected sign(code: number): void {
    const { text } = this;
    if (code === HASH) this.at = this.lineEnd();
    else if (code === NEWLINE) this.newline();
    else if (code === BACKSLASH)
      this.at = /^\\\r?\n/.test(text.slice(this.at, this.at + 3)) ? text.indexOf('\n', this.at) + 1 : this.at + 1;
    else {
      if (code === 0x28 || code === 0x5b || code === 0x7b) this.depth += 1;
      else if (code === 0x29 || code === 0x5d || code === 0x7d) this.depth = Math.max(0, this.depth - 1);
      this.take('p', this.at + 1);
    }
  }

  private newline(): void {
    let end = this.at + 1;
    while (this.text[end] === ' ' || this.text[end] === '\t') end += 1;
    if (this.depth > 0) this.at = end;
    else {
      this.at += 1;
      this.take('l', end);
    }
  }

  private stringEnd(quoteAt: number, quote: number): number {
    const { text } = this;
    if (text.charCodeAt(quoteAt + 1) !== quote || text.charCodeAt(quoteAt + 2) !== quote)
      return this.lineStringEnd(quoteAt + 1, quote);
    for (let at = quoteAt + 3; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === quote && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) return at + 3;
    }
    return text.length;
  }
}

const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const PATTERN_AFTER = new Set(
  '( , = : [ ! & | ? { } ; + - * % ~ ^ => && || ?? return typeof case in of do else void yield await'.split(' '),
);
const PAIRS = new Set(['=>', '?.', '&&', '||', '??']);

class ScriptTokenizer extends Tokenizer {
  private braces = 0;
  /** Depths of braces at which a `}` goes back into a template. */
  private readonly templates: number[] = [];

  protected quote(code: number): void {
    if (code === BACKTICK) this.template(this.at + 1);
    // `don't` is text of a component.
    else if (this.at > 0 && isWordCode(this.text.charCodeAt(this.at - 1))) this.at += 1;
    else this.take('s', this.lineStringEnd(this.at + 1, code));
  }

  protected sign(code: number): void {
    const { text } = this;
    if (code === NEWLINE) this.at += 1;
    else if (code === SLASH) this.slash();
    else if (code === HASH && isWordCode(text.charCodeAt(this.at + 1))) this.take('w', this.wordEnd(this.at));
    else if (code === 0x7d && this.templates.at(-1) === this.braces) {
      this.templates.pop();
      this.braces -= 1;
      this.template(this.at + 1);
    } else {
      if (code === 0x7b) this.braces += 1;
      else if (code === 0x7d) this.braces -= 1;
      const pair = text.slice(this.at, this.at + 2);
      if (text.startsWith('...', this.at)) this.take('p', this.at + 3);
      else this.take('p', this.at + (PAIRS.has(pair) || isComparison(text, this.at) ? 2 : 1));
    }
  }

  private slash(): void {
    const { text } = this;
    const next = text.charCodeAt(this.at + 1);
    if (next === SLASH && text[this.at - 1] !== ':') this.at = this.lineEnd();
    else if (next === 0x2a) {
      const end = text.indexOf('*/', this.at + 2);
      this.at = end < 0 ? text.length : end + 2;
    } else {
      const before = this.texts.at(-1);
      PATTERN.lastIndex = this.at;
      const match = next !== 0x3e && (before === undefined || PATTERN_AFTER.has(before)) ? PATTERN.exec(text) : null;
      this.take(match === null ? 'p' : 's', this.at + (match === null ? 1 : match[0].length));
    }
  }

  /** From inside a template to its end, or to a `${` whose `}` comes back. */
  private template(from: number): void {
    const { text } = this;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === BACKTICK) {
        this.take('s', at + 1);
        return;
      } else if (code === 0x24 && text.charCodeAt(at + 1) === 0x7b) {
        this.braces += 1;
        this.templates.push(this.braces);
        this.take('s', at + 2);
        return;
      }
    }
    this.take('s', text.length);
  }
}

/** `==`, `!=`, `<=`, `>=`; but `>=` after a type's name is the end of type arguments and an assignment. */
function isComparison(text: string, at: number): boolean {
  return (
    text[at + 1] === '=' &&
    (text[at] === '=' ||
      text[at] === '!' ||
      (text[at] === '<' && text[at + 2] !== '>') ||
      (text[at] === '>' && text[at - 1] === ' '))
  );
}

/** Tokens of Python; ends of lines only outside brackets. */
export function pythonTokens(text: string): Tokens {
  return new PythonTokenizer(text).run();
}

/** Tokens of TypeScript and JavaScript. Text inside `${}` of a template is tokens too. */
export function scriptTokens(text: string): Tokens {
  return new ScriptTokenizer(text).run();
}
