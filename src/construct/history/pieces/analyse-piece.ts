import type { Definition, Language, SyntaxFacts } from '#languages/index.js';
import type { Piece, Shell } from './cut-pieces.js';
import { flagName } from './flag-name.js';
import type { PieceDefinition, PieceFacts, PieceImport } from './piece-facts.js';

type Counts = Pick<SyntaxFacts, 'calls' | 'identifiers'>;

/** A piece put back between the heads and tails of the bodies around it. */
export interface WrappedPiece {
  text: Buffer;
  /** Where the piece itself begins and ends in the text. */
  from: number;
  to: number;
}

/** The text under which a piece is parsed. For a shell that is its head and tail alone. */
export function wrapPiece(source: Buffer, piece: Piece, language: string): WrappedPiece {
  const shells: Shell[] = [];
  for (let shell = piece.isShell ? (piece.shell?.outer ?? null) : piece.shell; shell !== null; shell = shell.outer)
    shells.unshift(shell);
  const parts = shells.map((shell) => source.subarray(shell.start, shell.headEnd));
  const from = parts.reduce((length, part) => length + part.length, 0);
  const own =
    piece.isShell && piece.shell !== null
      ? emptied(source, piece.shell, language)
      : [source.subarray(piece.start, piece.end)];
  parts.push(...own);
  const to = parts.reduce((length, part) => length + part.length, 0);
  for (const shell of shells.reverse()) parts.push(source.subarray(shell.tailStart, shell.end));
  return { text: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), from, to };
}

/** Head and tail; Python wants a statement between. */
function emptied(source: Buffer, shell: Shell, language: string): Buffer[] {
  const head = source.subarray(shell.start, shell.headEnd);
  const tail = source.subarray(shell.tailStart, shell.end);
  if (language !== 'python') return [head, tail];
  const indent =
    /^[ \t]*/.exec(source.toString('latin1', shell.headEnd, Math.min(shell.headEnd + 64, source.length)))?.[0] ?? ' ';
  return [head, Buffer.from(`${indent}pass\n`, 'latin1'), tail];
}

/**
 * Parses a piece and keeps what belongs to it.
 * @param around facts of the innermost body's shell, whose counts are in the piece's parse too; null at the top
 */
export async function analysePiece(
  language: Language,
  wrapped: WrappedPiece,
  around: Counts | null,
): Promise<{ facts: PieceFacts; counts: Counts | null }> {
  const syntax = await language.analyse(wrapped.text);
  const own = wrapped.text.subarray(wrapped.from, wrapped.to);
  const text = own.toString('utf8');
  if ('unparsed' in syntax) {
    const facts: PieceFacts = {
      definitions: [],
      imports: [],
      calls: new Map(),
      identifiers: new Map(),
      titles: [],
      exportedLater: [],
      text,
      problem: 'gave-up',
    };
    return { facts, counts: null };
  }
  const isOwn = (item: { start: number }): boolean => item.start >= wrapped.from && item.start < wrapped.to;
  const facts: PieceFacts = {
    definitions: ownDefinitions(syntax, isOwn),
    imports: ownImports(syntax, wrapped.text, isOwn),
    calls: less(syntax.calls, around?.calls),
    identifiers: withFlags(less(syntax.identifiers, around?.identifiers), syntax.strings.filter(isOwn)),
    titles: titlesOf(language.name, own),
    exportedLater: exportedLaterIn(language.name, own),
    text,
    problem: syntax.parseErrors > 0 ? 'errors' : null,
  };
  return { facts, counts: syntax };
}

function ownDefinitions(syntax: SyntaxFacts, isOwn: (item: Definition) => boolean): PieceDefinition[] {
  const kept: Definition[] = [];
  const found: PieceDefinition[] = [];
  /** Definitions that the current one may stand in, outermost first. */
  const open: { definition: Definition; index: number }[] = [];
  for (const definition of syntax.definitions) {
    while (open.length > 0 && (open.at(-1)?.definition.end ?? 0) <= definition.start) open.pop();
    const inFunction = open.some(({ definition: outer }) => outer.kind === 'function' || outer.kind === 'method');
    const owner = open.findLast((outer) => outer.index >= 0)?.index ?? -1;
    const isKept = isOwn(definition) && !inFunction;
    if (isKept) {
      kept.push(definition);
      found.push({
        kind: definition.kind,
        name: definition.name,
        qualifiedName: definition.qualifiedName.replace(/#\d+/g, ''),
        signature: definition.signature,
        exported: definition.exported,
        contentHash: definition.contentHash,
        inTest: definition.inTest,
        owner,
      });
    }
    open.push({ definition, index: isKept ? kept.length - 1 : -1 });
  }
  return found;
}

function ownImports(syntax: SyntaxFacts, text: Buffer, isOwn: (item: { start: number }) => boolean): PieceImport[] {
  const within = (start: number): string =>
    syntax.definitions
      .filter(
        (definition) =>
          definition.kind === 'module' &&
          definition.bodyStart !== null &&
          definition.start <= start &&
          start < definition.end,
      )
      .map((definition) => definition.name)
      .join('::');
  const imports = syntax.imports.filter(isOwn).map((statement) => ({
    specifier: statement.specifier,
    names: statement.names,
    typeOnly: statement.typeOnly,
    within: syntax.language === 'rust' ? within(statement.start) : '',
  }));
  if (syntax.language !== 'rust') return imports;
  const modules = syntax.definitions
    .filter((definition) => definition.kind === 'module' && definition.bodyStart === null && isOwn(definition))
    .map((definition) => ({
      specifier: `mod ${definition.name}`,
      names: pathAttribute(text.toString('latin1', definition.start, definition.end)),
      typeOnly: false,
      within: within(definition.start),
    }));
  return [...imports, ...modules];
}

/** `#[path = "x.rs"]` says where a module is. */
function pathAttribute(text: string): string[] {
  const path = /#\[path\s*=\s*"([^"]+)"\]/.exec(text)?.[1];
  return path === undefined ? [] : [path];
}

function withFlags(
  identifiers: Map<string, number>,
  strings: readonly { value: string; isDoc: boolean }[],
): Map<string, number> {
  for (const { value, isDoc } of strings) {
    const name = isDoc ? null : flagName(value);
    if (name !== null) identifiers.set(name, (identifiers.get(name) ?? 0) + 1);
  }
  return identifiers;
}

function less(counts: Map<string, number>, fewer: Map<string, number> | undefined): Map<string, number> {
  const rest = new Map<string, number>();
  for (const [name, count] of counts) {
    const left = count - (fewer?.get(name) ?? 0);
    if (left > 0 && name.length > 1) rest.set(name, left);
  }
  return rest;
}

const TITLE =
  /(?:^|[^\w$.])(?:describe|it|test|specify|suite)(?:\.\w+)*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.)*)`)/g;

function isScript(language: string): boolean {
  return language === 'typescript' || language === 'tsx' || language === 'javascript';
}

/** `export { a, b as c }` and `module.exports = { a, b: c }` name what stands elsewhere. */
function exportedLaterIn(language: string, own: Buffer): string[] {
  if (!isScript(language) || own.length > 4_096) return [];
  const list = /^\s*(?:export\s*|module\.exports\s*=\s*)\{([\w$\s,:]*)\}\s*;?\s*$/.exec(own.toString('latin1'))?.[1];
  if (list === undefined) return [];
  return list.split(',').flatMap((entry) => /^\s*(?:[\w$]+\s*:\s*)?([\w$]+)/.exec(entry)?.[1] ?? []);
}

function titlesOf(language: string, own: Buffer): string[] {
  if (!isScript(language)) return [];
  const titles: string[] = [];
  for (const match of own.toString('utf8').matchAll(TITLE)) titles.push(match[1] ?? match[2] ?? match[3] ?? '');
  return titles;
}
