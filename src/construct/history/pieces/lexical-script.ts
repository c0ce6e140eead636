import { flagName, literalText } from './flag-name.js';
import { scriptTokens, type Tokens } from './lexical-tokens.js';
import type { PieceFacts, PieceImport } from './piece-facts.js';

const KEYWORDS = new Set(
  `abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum
  export extends false finally for function if implements import in infer instanceof interface is keyof let module namespace
  never new null number object of private protected public readonly return satisfies static string super switch symbol this
  throw true try type typeof undefined unknown var void while with yield`.split(/\s+/),
);
/** Longer type arguments are a comparison misread. */
const MAX_TYPE_TOKENS = 200;
const TITLED = new Set(['describe', 'it', 'test', 'specify', 'suite']);

/**
 * Facts of a statement inside a callback (a test suite's, say), read from its tokens: names, calls, titles, imports.
 * What it defines is the callback's own business.
 * @param ownName position of the name that the statement itself defines: it is not called there
 */
export function lexicalScriptStatement(text: string, tokens: Tokens = scriptTokens(text), ownName = -1): PieceFacts {
  const facts: PieceFacts = {
    definitions: [],
    imports: [],
    calls: new Map(),
    identifiers: new Map(),
    titles: [],
    exportedLater: [],
    text,
    problem: null,
  };
  readTokens(tokens, facts, ownName);
  return facts;
}

function readTokens(tokens: Tokens, facts: PieceFacts, ownName: number): void {
  const { kinds, texts } = tokens;
  for (let at = 0; at < kinds.length; at += 1) {
    const text = texts[at] ?? '';
    if (kinds[at] === 's') countFlag(facts, text);
    if (kinds[at] !== 'w') continue;
    const isMember = texts[at - 1] === '.' || texts[at - 1] === '?.';
    if (!isMember && isImport(tokens, at)) facts.imports.push(importOf(texts[at + 2] ?? ''));
    if (KEYWORDS.has(text) && !isMember) continue;
    count(facts.identifiers, text);
    const open = at === ownName ? -1 : openingOf(tokens, at + 1);
    if (open < 0) continue;
    if (texts[at - 1] !== 'function' && !isMethod(tokens, open)) count(facts.calls, text);
    if (kinds[at + 2] === 's' && TITLED.has(rootOf(tokens, at))) facts.titles.push(titleOf(texts[at + 2] ?? ''));
  }
}

function count(counts: Map<string, number>, name: string): void {
  if (name.length > 1) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function countFlag(facts: PieceFacts, token: string): void {
  const name = token.length > 50 ? null : flagName(literalText(token));
  if (name !== null) count(facts.identifiers, name);
}

/** `require('x')`, `import('x')`. */
function isImport({ kinds, texts }: Tokens, at: number): boolean {
  return (texts[at] === 'require' || texts[at] === 'import') && texts[at + 1] === '(' && kinds[at + 2] === 's';
}

/** Position of the bracket that opens a call's arguments, also after type arguments (`name<T>(`); -1 where there is none. */
function openingOf({ texts }: Tokens, at: number): number {
  if (texts[at] === '(' || texts[at]?.startsWith('`')) return at;
  if (texts[at] === '?.' && texts[at + 1] === '(') return at + 1;
  if (texts[at] !== '<') return -1;
  let depth = 0;
  for (let next = at; next < texts.length && next < at + MAX_TYPE_TOKENS; next += 1) {
    const text = texts[next] ?? '';
    if ('<([{'.includes(text)) depth += 1;
    else if ('>)]}'.includes(text)) depth -= 1;
    if (depth === 0) return text === '>' && texts[next + 1] === '(' ? next + 1 : -1;
  }
  return -1;
}

/** `name(…) {` defines a method of an object. */
function isMethod({ kinds, texts }: Tokens, open: number): boolean {
  let depth = 0;
  for (let at = open; at < kinds.length && at < open + 200; at += 1) {
    if (kinds[at] !== 'p') continue;
    const text = texts[at] ?? '';
    if (text === '(') depth += 1;
    else if (text === ')') {
      depth -= 1;
      if (depth === 0) return texts[at + 1] === '{';
    }
  }
  return false;
}

/** `it` of `it.skip.each`. */
function rootOf({ texts }: Tokens, at: number): string {
  let root = at;
  while (texts[root - 1] === '.') root -= 2;
  return texts[root] ?? '';
}

function titleOf(literal: string): string {
  return literal.replace(/^["'`]|["'`]$/g, '');
}

function importOf(literal: string): PieceImport {
  return { specifier: titleOf(literal), names: [], typeOnly: false, within: '' };
}
