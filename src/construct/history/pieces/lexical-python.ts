import { createHash } from 'node:crypto';
import { foldSignature } from '#languages/index.js';
import { flagName, literalText } from './flag-name.js';
import { pythonTokens, type Tokens } from './lexical-tokens.js';
import type { PieceFacts, PieceImport } from './piece-facts.js';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Where a function or method stands: names of the classes around it, and whether all of them are public. */
export interface PythonPlace {
  owners: readonly string[];
  exported: boolean;
}

/**
 * Facts of a piece that is one Python function, with or without decorators, read from its tokens: a parse of it would
 * say the same at twenty times the cost. Null where the piece is something else, or does not look whole.
 */
export function lexicalPythonFunction(text: string, place: PythonPlace): PieceFacts | null {
  const tokens = pythonTokens(text);
  const head = functionHead(tokens);
  if (head === null) return null;
  const name = tokens.texts[head.name] ?? '';
  const isPublic = !name.startsWith('_') || /^__\w+__$/.test(name);
  const facts: PieceFacts = {
    definitions: [
      {
        kind: place.owners.length > 0 ? 'method' : 'function',
        name,
        qualifiedName: [...place.owners, name].join('.'),
        signature: signatureOf(text, tokens, head),
        exported: isPublic && place.exported,
        contentHash: contentHash(tokens, head),
        inTest: false,
        owner: -1,
      },
    ],
    imports: importsOf(tokens),
    calls: new Map(),
    identifiers: new Map(),
    titles: [],
    exportedLater: [],
    text,
    problem: null,
  };
  countNames(tokens, facts);
  return facts;
}

interface Head {
  /** Token positions: of `def` or `async`, of the name, and of the colon that ends the head. */
  start: number;
  name: number;
  colon: number;
}

function functionHead(tokens: Tokens): Head | null {
  const { kinds, texts } = tokens;
  let at = 0;
  for (;;) {
    while (kinds[at] === 'l') at += 1;
    if (texts[at] !== '@') break;
    while (at < kinds.length && kinds[at] !== 'l') at += 1;
  }
  const start = at;
  if (texts[at] === 'async') at += 1;
  if (texts[at] !== 'def' || kinds[at + 1] !== 'w') return null;
  const name = at + 1;
  let depth = 0;
  for (at = name + 1; at < kinds.length; at += 1) {
    const text = texts[at] ?? '';
    if (kinds[at] !== 'p') continue;
    if ('([{'.includes(text)) depth += 1;
    else if (')]}'.includes(text)) depth -= 1;
    else if (text === ':' && depth === 0) return isOneStatement(tokens, at) ? { start, name, colon: at } : null;
  }
  return null;
}

/** Nothing after the head stands as far left as the head itself. */
function isOneStatement({ kinds, texts }: Tokens, colon: number): boolean {
  const indents: number[] = [];
  for (let at = colon + 1; at < kinds.length; at += 1) {
    const next = kinds[at + 1];
    if (kinds[at] === 'l' && next !== undefined && next !== 'l') indents.push(texts[at]?.length ?? 0);
  }
  return indents.every((indent) => indent > 0 && indent >= (indents[0] ?? 0));
}

/** The text of the head with comments left out, folded as parsed definitions' are. */
function signatureOf(text: string, { kinds, starts, ends }: Tokens, { start, colon }: Head): string {
  const parts: string[] = [];
  let from = starts[start] ?? 0;
  for (let at = start; at < colon; at += 1) {
    const end = ends[at] ?? 0;
    const next = starts[at + 1] ?? end;
    if (kinds[at] === 'l' || !text.slice(end, next).includes('#')) continue;
    parts.push(text.slice(from, end));
    from = next;
  }
  parts.push(text.slice(from, ends[colon]));
  return foldSignature(parts.join(' '));
}

/** Tokens with blocks told by braces, so that neither comments nor the width of an indentation counts. */
function contentHash({ kinds, texts }: Tokens, { start }: Head): string {
  const parts: string[] = [];
  const indents: number[] = [];
  let base = 0;
  for (let at = 0; at < kinds.length; at += 1) {
    const text = texts[at] ?? '';
    if (kinds[at] !== 'l') {
      parts.push(text);
      continue;
    }
    const next = kinds[at + 1];
    if (next === undefined || next === 'l') continue;
    if (at < start) {
      base = text.length;
      continue;
    }
    parts.push(';');
    while (indents.length > 0 && (indents.at(-1) ?? 0) > text.length) {
      indents.pop();
      parts.push('}');
    }
    if (text.length > (indents.at(-1) ?? base)) {
      indents.push(text.length);
      parts.push('{');
    }
  }
  return createHash('sha256').update(parts.join('\x1f')).digest('hex').slice(0, 16);
}

function countNames({ kinds, texts }: Tokens, facts: PieceFacts): void {
  for (let at = 0; at < kinds.length; at += 1) {
    const text = texts[at] ?? '';
    if (kinds[at] === 's') {
      if (/^[rRbB]?[fFtT]/.test(text)) countInserted(text, facts);
      else if (text.length <= 50) countFlag(literalText(text), facts);
      continue;
    }
    if (kinds[at] !== 'w' || KEYWORDS.has(text)) continue;
    count(facts.identifiers, text);
    const before = texts[at - 1];
    if (texts[at + 1] === '(' && before !== 'def' && before !== 'class') count(facts.calls, text);
  }
}

function countFlag(literal: string, facts: PieceFacts): void {
  const name = flagName(literal);
  if (name !== null) count(facts.identifiers, name);
}

/** What stands in the braces of a formatted string is code. */
function countInserted(text: string, facts: PieceFacts): void {
  for (const [, inner] of text.replaceAll('{{', '').matchAll(/\{([^{}]+)/g))
    countNames(pythonTokens((inner ?? '').replace(/[:!][^'"()[\]]*$/, '')), facts);
}

function count(counts: Map<string, number>, name: string): void {
  if (name.length > 1) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Imports inside the function. */
function importsOf({ kinds, texts }: Tokens): PieceImport[] {
  const imports: PieceImport[] = [];
  for (let at = 0; at < kinds.length; at += 1) {
    const isStart = at === 0 || kinds[at - 1] === 'l' || texts[at - 1] === ':' || texts[at - 1] === ';';
    if (!isStart || kinds[at] !== 'w' || (texts[at] !== 'import' && texts[at] !== 'from')) continue;
    let end = at;
    while (end < kinds.length && kinds[end] !== 'l' && texts[end] !== ';') end += 1;
    imports.push(...importStatement(texts.slice(at, end)));
    at = end;
  }
  return imports;
}

function importStatement(tokens: readonly string[]): PieceImport[] {
  const split = tokens.indexOf('import');
  const named = (list: readonly string[]): string[] =>
    list
      .join(' ')
      .replace(/[()]/g, ' ')
      .split(',')
      .map((entry) =>
        entry
          .trim()
          .replace(/\s+as\s.*$/, '')
          .replace(/\s+/g, ''),
      )
      .filter((name) => name !== '');
  if (tokens[0] === 'from') {
    if (split < 0) return [];
    return [
      {
        specifier: tokens.slice(1, split).join(''),
        names: named(tokens.slice(split + 1)),
        typeOnly: false,
        within: '',
      },
    ];
  }
  return named(tokens.slice(1)).map((specifier) => ({ specifier, names: [], typeOnly: false, within: '' }));
}
