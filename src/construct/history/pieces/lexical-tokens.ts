/** The tokens of a piece of source, without comments and white space. */
export interface Tokens {
  /** `w` word, `n` number, `s` string as written, `p` punctuation, `l` end of a Python line (text: its indentation after). */
  kinds: string[];
  texts: string[];
  starts: number[];
  ends: number[];
}

class TokenList implements Tokens {
  kinds: string[] = [];
  texts: string[] = [];
  starts: number[] = [];
  ends: number[] = [];

  add(kind: string, text: string, start: number, end: number): void {
    this.kinds.push(kind);
    this.texts.push(text);
    this.starts.push(start);
    this.ends.push(end);
  }
}

const PYTHON =
  /(?<string>[rRbBuUfFtT]{0,2}(?:"""|'''|"|'))|(?<comment>#[^\n]*)|(?<word>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|(?<number>\.?\d[\w.]*)|(?<newline>\n[ \t]*)|(?<blank>(?:[ \t\r\f]|\\\r?\n)+)|(?<sign>->|:=|\*\*|\/\/|[<>=!]=|.)/gsy;

/** Tokens of Python; ends of lines only outside brackets. */
export function pythonTokens(text: string): Tokens {
  const tokens = new TokenList();
  let depth = 0;
  PYTHON.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    PYTHON.lastIndex = at;
    const match = PYTHON.exec(text);
    if (match?.groups === undefined) break;
    const { string, word, number, newline, sign } = match.groups;
    let end = at + match[0].length;
    if (string !== undefined) {
      end = pythonStringEnd(text, at, string);
      tokens.add('s', text.slice(at, end), at, end);
    } else if (word !== undefined) tokens.add('w', word, at, end);
    else if (number !== undefined) tokens.add('n', number, at, end);
    else if (newline !== undefined) {
      if (depth === 0) tokens.add('l', newline.slice(1), at, end);
    } else if (sign !== undefined) {
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
      tokens.add('p', sign, at, end);
    }
    at = end;
  }
  return tokens;
}

function pythonStringEnd(text: string, start: number, opening: string): number {
  const quote = opening.replace(/^[a-zA-Z]+/, '');
  let at = start + opening.length;
  for (; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (quote.length === 1 && text[at] === '\n') return at;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}

const SCRIPT =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<word>#?[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)|(?<number>\.?\d[\w.]*)|(?<quote>["'`])|(?<blank>\s+)|(?<sign>=>|\?\.|\.\.\.|[=!]==?|[<>]=|&&|\|\||\?\?|\/|.)/gsy;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const PATTERN_AFTER =
  /^(?:[(,=:[!&|?{};+\-*%~^]|=>|[=!]==?|&&|\|\||\?\?|return|typeof|case|in|of|do|else|void|yield|await)$/;

/** Tokens of TypeScript and JavaScript. Text inside `${}` of a template is tokens too. */
export function scriptTokens(text: string): Tokens {
  const tokens = new TokenList();
  /** Depths of braces at which a `}` goes back into a template. */
  const templates: number[] = [];
  let braces = 0;
  let at = 0;
  const template = (start: number): void => {
    let end = start;
    for (; end < text.length; end += 1) {
      if (text[end] === '\\') end += 1;
      else if (text[end] === '`') {
        end += 1;
        break;
      } else if (text[end] === '$' && text[end + 1] === '{') {
        end += 2;
        braces += 1;
        templates.push(braces);
        break;
      }
    }
    tokens.add('s', text.slice(at, end), at, end);
    at = end;
  };
  while (at < text.length) {
    SCRIPT.lastIndex = at;
    const match = SCRIPT.exec(text);
    if (match?.groups === undefined) break;
    const { word, number, quote, sign } = match.groups;
    let end = at + match[0].length;
    if (word !== undefined) tokens.add('w', word, at, end);
    else if (number !== undefined) tokens.add('n', number, at, end);
    else if (quote === '`') {
      template(at + 1);
      continue;
    } else if (quote !== undefined) {
      // `don't` is text of a component.
      if (/[\w$]/.test(text[at - 1] ?? '')) end = at + 1;
      else {
        end = scriptStringEnd(text, at, quote);
        tokens.add('s', text.slice(at, end), at, end);
      }
    } else if (sign === '/') end = slash(text, at, tokens);
    else if (sign === '}' && templates.at(-1) === braces) {
      templates.pop();
      braces -= 1;
      template(at + 1);
      continue;
    } else if (sign !== undefined) {
      if (sign === '{') braces += 1;
      else if (sign === '}') braces -= 1;
      tokens.add('p', sign, at, end);
    }
    at = end;
  }
  return tokens;
}

function slash(text: string, at: number, tokens: TokenList): number {
  const before = tokens.texts.at(-1);
  PATTERN.lastIndex = at;
  const isPattern = before === undefined || PATTERN_AFTER.test(before);
  const match = isPattern && text[at + 1] !== '>' ? PATTERN.exec(text) : null;
  const end = at + (match === null ? 1 : match[0].length);
  tokens.add(match === null ? 'p' : 's', text.slice(at, end), at, end);
  return end;
}

function scriptStringEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '\n') return at;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}
