import { createHash } from 'node:crypto';
import { foldSignature } from '#languages/index.js';
import { lexicalScriptStatement } from './lexical-script.js';
import { scriptTokens, type Tokens } from './lexical-tokens.js';
import type { PieceDefinition, PieceFacts } from './piece-facts.js';

/** Where a member stands: the class or interface around it, as its own piece tells. */
export type ScriptPlace = Pick<PieceDefinition, 'kind' | 'qualifiedName' | 'exported'> | null;

/**
 * Facts of a piece that is one function, one variable that holds a function, or one member of a class or interface,
 * read from its tokens as a parse would tell them. Null where the piece is something else or does not look whole.
 */
export function lexicalScriptDefinition(text: string, place: ScriptPlace): PieceFacts | null {
  const tokens = scriptTokens(text);
  const found = place === null ? topDefinition(tokens) : memberDefinition(tokens, place);
  if (found === null) return null;
  if (found === 'nameless') return lexicalScriptStatement(text, tokens);
  const facts = lexicalScriptStatement(text, tokens, found.nameAt);
  const { kind, name, exported, head, body } = found;
  const headEnd = body < 0 ? text.length : (tokens.starts[body] ?? text.length);
  facts.definitions.push({
    kind,
    name,
    qualifiedName: place === null ? name : `${place.qualifiedName}.${name}`,
    signature: foldSignature(withoutComments(text, tokens, { from: head, until: headEnd })),
    exported: exported && (place?.exported ?? true),
    contentHash: createHash('sha256').update(tokens.texts.join('\x1f')).digest('hex').slice(0, 16),
    inTest: false,
    owner: -1,
  });
  return facts;
}

interface Found {
  kind: 'function' | 'method' | 'field';
  name: string;
  exported: boolean;
  /** Token positions: where the signature begins, of the name, and of the body (-1: none). */
  head: number;
  nameAt: number;
  body: number;
}

function topDefinition(tokens: Tokens): Found | null {
  const { texts, kinds } = tokens;
  let at = 0;
  const exported = texts[at] === 'export';
  if (exported) at += 1;
  if (texts[at] === 'default') return null;
  const head = at;
  if (texts[at] === 'async') at += 1;
  if (texts[at] === 'function') {
    at += texts[at + 1] === '*' ? 2 : 1;
    if (kinds[at] !== 'w') return null;
    const body = bodyAfterHead(tokens, at + 1);
    return body === null ? null : { kind: 'function', name: texts[at] ?? '', exported, head, nameAt: at, body };
  }
  if (at !== head || !['const', 'let', 'var'].includes(texts[at] ?? '') || kinds[at + 1] !== 'w') return null;
  const value = valueAfter(tokens, at + 2);
  const body = value < 0 ? null : functionBody(tokens, value);
  return body === null ? null : { kind: 'function', name: texts[at + 1] ?? '', exported, head, nameAt: at + 1, body };
}

const MODIFIERS = new Set([
  'public',
  'private',
  'protected',
  'static',
  'readonly',
  'abstract',
  'override',
  'declare',
  'async',
  'get',
  'set',
  '*',
]);

function memberDefinition(tokens: Tokens, place: NonNullable<ScriptPlace>): Found | 'nameless' | null {
  const { texts, kinds } = tokens;
  if (place.kind !== 'class' && place.kind !== 'interface') return null;
  if (isNameless(tokens)) return place.kind === 'interface' ? 'nameless' : null;
  let at = 0;
  while (MODIFIERS.has(texts[at] ?? '') && (kinds[at + 1] === 'w' || texts[at + 1] === '*')) at += 1;
  if (kinds[at] !== 'w') return null;
  const name = texts[at] ?? '';
  const exported =
    !name.startsWith('#') && !texts.slice(0, at).some((word) => word === 'private' || word === 'protected');
  const found = { name, exported, head: 0, nameAt: at };
  const next = texts[at + 1] === '?' || texts[at + 1] === '!' ? at + 2 : at + 1;
  if (texts[next] === '(' || texts[next] === '<') {
    const body = bodyAfterHead(tokens, next);
    return body === null ? null : { ...found, kind: 'method', body };
  }
  const value = place.kind === 'interface' ? -1 : valueAfter(tokens, next);
  const body = value < 0 ? null : functionBody(tokens, value);
  if (body !== null) return { ...found, kind: 'method', body };
  const isField = texts[next] === undefined || texts[next] === ':' || texts[next] === '=';
  return isField && isOneMember(tokens, next) && texts[value] !== 'class'
    ? { ...found, kind: 'field', body: -1 }
    : null;
}

/** A signature without a name: `(x): y`, `<T>(x): y`, `new (x): y`. */
function isNameless({ texts }: Tokens): boolean {
  const first = texts[0] === 'new' ? texts[1] : texts[0];
  return first === '(' || first === '<';
}

/** Position of a function's block after its parameters, -1 for a signature without one, null where it does not end there. */
function bodyAfterHead(tokens: Tokens, at: number): number | null {
  const { texts } = tokens;
  let depth = 0;
  let sawParameters = false;
  for (let next = at; next < texts.length; next += 1) {
    const text = texts[next] ?? '';
    if (tokens.kinds[next] !== 'p') continue;
    if (depth === 0 && text === '{' && sawParameters && !opensType(texts[next - 1]))
      return endsWith(tokens, next) ? next : null;
    if (text === '(' || text === '[' || text === '{' || text === '<') depth += 1;
    else if (text === ')' || text === ']' || text === '}' || text === '>') {
      depth -= 1;
      if (text === ')' && depth === 0) sawParameters = true;
    } else if (text === ';' && depth === 0 && next < texts.length - 1) return null;
  }
  return sawParameters && depth === 0 ? -1 : null;
}

/** A brace after these opens a type, not a block. */
function opensType(before: string | undefined): boolean {
  return before === ':' || before === '|' || before === '&' || before === '=>' || before === '<' || before === ',';
}

/** The block that opens here is the end of the piece. */
function endsWith({ kinds, texts }: Tokens, open: number): boolean {
  let depth = 0;
  for (let at = open; at < texts.length; at += 1) {
    if (kinds[at] !== 'p') continue;
    if (texts[at] === '{') depth += 1;
    else if (texts[at] === '}') {
      depth -= 1;
      if (depth === 0) return at === texts.length - 1 || (at === texts.length - 2 && texts[at + 1] === ';');
    }
  }
  return false;
}

/** Position after the `=` that gives a variable its value, -1 where there is none. */
function valueAfter({ kinds, texts }: Tokens, at: number): number {
  let depth = 0;
  for (let next = at; next < texts.length; next += 1) {
    if (kinds[next] !== 'p') continue;
    const text = texts[next] ?? '';
    if (text === '=' && depth === 0) return next + 1;
    if ('([{<'.includes(text)) depth += 1;
    else if (')]}>'.includes(text)) depth -= 1;
    else if ((text === ',' || text === ';') && depth === 0) return -1;
  }
  return -1;
}

/** Position of the body of the function that a value is; null where it is none, or where more follows. */
function functionBody(tokens: Tokens, value: number): number | null {
  const { texts, kinds } = tokens;
  let at = texts[value] === 'async' ? value + 1 : value;
  if (texts[at] === 'function') return bodyAfterHead(tokens, texts[at + 1] === '*' ? at + 2 : at + 1);
  if (texts[at] === '<') at = closing(tokens, at, '<', '>') + 1;
  if (at > value && texts[at] !== '(' && kinds[at] !== 'w') return null;
  const parametersEnd = texts[at] === '(' ? closing(tokens, at, '(', ')') : kinds[at] === 'w' ? at : -1;
  if (parametersEnd < 0) return null;
  const arrow = arrowAfter(tokens, parametersEnd + 1);
  if (arrow < 0) return null;
  if (texts[arrow + 1] === '{') return endsWith(tokens, arrow + 1) ? arrow + 1 : null;
  return isOneMember(tokens, arrow + 1) ? arrow + 1 : null;
}

function closing({ kinds, texts }: Tokens, open: number, opens: string, closes: string): number {
  let depth = 0;
  for (let at = open; at < texts.length; at += 1) {
    if (kinds[at] !== 'p') continue;
    if (texts[at] === opens) depth += 1;
    else if (texts[at] === closes) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -2;
}

/** The arrow right after parameters, or after the type that they return. */
function arrowAfter({ kinds, texts }: Tokens, at: number): number {
  if (texts[at] === '=>') return at;
  if (texts[at] !== ':') return -1;
  let depth = 0;
  for (let next = at + 1; next < texts.length; next += 1) {
    if (kinds[next] !== 'p') continue;
    const text = texts[next] ?? '';
    if (text === '=>' && depth === 0) return next;
    if ('([{<'.includes(text)) depth += 1;
    else if (')]}>'.includes(text)) depth -= 1;
    else if (text === ';' && depth === 0) return -1;
  }
  return -1;
}

/** No comma and no semicolon but at the end, outside brackets: nothing else is declared here. */
function isOneMember({ kinds, texts }: Tokens, from: number): boolean {
  let depth = 0;
  for (let at = from; at < texts.length; at += 1) {
    if (kinds[at] !== 'p') continue;
    const text = texts[at] ?? '';
    if ('([{<'.includes(text)) depth += 1;
    else if (')]}>'.includes(text)) depth -= 1;
    else if ((text === ',' || text === ';') && depth <= 0 && at < texts.length - 1) return false;
  }
  return true;
}

function withoutComments(
  text: string,
  { starts, ends }: Tokens,
  { from, until }: { from: number; until: number },
): string {
  const parts: string[] = [];
  let start = starts[from] ?? 0;
  for (let at = from; at < starts.length && (starts[at] ?? 0) < until; at += 1) {
    const end = ends[at] ?? 0;
    const next = starts[at + 1] ?? text.length;
    if (next > until || !/\/[/*]/.test(text.slice(end, next))) continue;
    parts.push(text.slice(start, end));
    start = next;
  }
  parts.push(text.slice(start, until));
  return parts.join(' ');
}
