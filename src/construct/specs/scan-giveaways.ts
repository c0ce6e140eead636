import { namesHistory, namesPath } from './clean-prose.js';
import { codeSpansIn } from './code-span.js';
import { codeTokens, tokenRuns } from './code-tokens.js';
import type { SpecText, StageMaterial } from './material.js';
import { definitionsOf, type ReadFile, readStage, type StageReading } from './read-stage.js';
import { isHidden, visibleDefinitions } from './visible-definitions.js';

/** Text of a spec that tells more than what to reach. */
export interface Giveaway {
  kind: 'reference-code' | 'path' | 'private-name' | 'history';
  document: 'requirement' | 'contract';
  /** From 1. */
  line: number;
  /** The telling part. */
  text: string;
}

/** Longest run of reference tokens that may stand in a spec. */
export const MAX_REFERENCE_RUN = 8;

/**
 * Lists where a spec gives the reference away: more than 8 tokens in a row of a function's body that the stage brings,
 * paths of files, names that importers cannot see and no test uses, links, numbers, authors and commits.
 */
export async function scanGiveaways(material: StageMaterial, spec: SpecText): Promise<Giveaway[]> {
  return giveaways(await readStage(material), spec);
}

/** The scan over a stage that has been read already. */
export function giveaways(reading: StageReading, spec: SpecText): Giveaway[] {
  const runs = referenceRuns(reading);
  const hidden = hiddenNames(reading);
  const heads = new Set(
    [...reading.after.values()].flatMap((file) =>
      [...visibleDefinitions(file).values()].map(({ signature }) => signature),
    ),
  );
  const paths = new Set([
    ...reading.material.before.keys(),
    ...reading.material.after.keys(),
    ...reading.material.tests.keys(),
  ]);
  const found: Giveaway[] = [];
  for (const document of ['requirement', 'contract'] as const) {
    spec[document].split('\n').forEach((text, at) => {
      const add = (kind: Giveaway['kind'], what: string): void => {
        found.push({ kind, document, line: at + 1, text: what });
      };
      const run = copiedRun(document === 'contract' ? withoutDeclared(text, heads) : text, runs);
      if (run !== null) add('reference-code', run);
      // A value or a module's name may look like a path; only prose means one.
      const prose = text.replace(SPAN, ' ');
      const mayName = document === 'contract' ? prose : text.replace(/(`+)\s*['"[{(](.+?)\1(?!`)/g, ' ');
      if (namesPath(mayName) || [...paths].some((path) => text.includes(path))) add('path', text.trim());
      if (namesHistory(prose)) add('history', text.trim());
      for (const [name] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) if (hidden.has(name)) add('private-name', name);
    });
  }
  return found;
}

const SPAN = /(`+)(.+?)\1(?!`)/g;

/** A contract line without what it is there to tell: heads as they are declared, and texts as they are printed. */
function withoutDeclared(line: string, heads: ReadonlySet<string>): string {
  if (/^\s*[-*] (?:text|message|flag)\b/.test(line)) return '';
  return line.replace(SPAN, (span) => (heads.has(codeSpansIn(span)[0] ?? '') ? ' ' : span));
}

function copiedRun(text: string, runs: ReadonlySet<string>): string | null {
  for (const piece of [text, ...codeSpansIn(text)]) {
    const tokens = codeTokens(piece);
    const copied = tokenRuns(tokens, MAX_REFERENCE_RUN + 1).find((run) => runs.has(run));
    if (copied !== undefined) return copied.split('\u0001').join(' ');
  }
  return null;
}

/** Runs of tokens in bodies of functions that S_(i+1) has and S_i has not. Runs of marks alone are everybody's. */
function referenceRuns({ before, after }: StageReading): Set<string> {
  const runs = new Set([...after.values()].flatMap(bodyRuns));
  for (const file of before.values()) for (const run of bodyRuns(file)) runs.delete(run);
  return runs;
}

function bodyRuns(file: ReadFile): string[] {
  const { facts } = file;
  const bodies = facts.definitions.filter(
    ({ kind, bodyStart, inTest }) => (kind === 'function' || kind === 'method') && bodyStart !== null && !inTest,
  );
  const docs = facts.strings.filter(({ isDoc }) => isDoc);
  return bodies.flatMap(({ bodyStart, end }) => {
    const from = bodyStart ?? end;
    const doc = docs.find(({ start }) => start === from);
    const text = withoutLongStrings(file, doc?.end ?? from, end);
    const runs = tokenRuns(codeTokens(withoutComments(text)), MAX_REFERENCE_RUN + 1);
    return runs.filter((run) => run.split('\u0001').filter((token) => /^[\p{L}_$]/u.test(token)).length >= 3);
  });
}

/** Text that a program prints over several lines is no code. */
function withoutLongStrings({ facts, tree }: ReadFile, from: number, end: number): string {
  const pieces: string[] = [];
  let at = from;
  for (const { start, end: stringEnd } of facts.strings) {
    if (start < at || stringEnd > end || !tree.source.subarray(start, stringEnd).includes(0x0a)) continue;
    pieces.push(tree.source.toString('utf8', at, start), '""');
    at = stringEnd;
  }
  return [...pieces, tree.source.toString('utf8', at, end)].join('');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?:^|\s)(?:\/\/|#(?![\w[{]))[^\n]*/g, ' ');
}

/** New names of the source that no importer sees, that no visible head names and no test uses. */
function hiddenNames({ before, after, usage, material }: StageReading): Set<string> {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  for (const [path, file] of after) {
    const old = definitionsOf(before.get(path));
    for (const definition of definitionsOf(file).values()) {
      const isTold = definition.exported || ['field', 'interface', 'type', 'enum'].includes(definition.kind);
      if (isTold && !isHidden(definition.name)) for (const token of codeTokens(definition.signature)) shown.add(token);
      else if (!old.has(definition.qualifiedName)) hidden.add(definition.name);
    }
  }
  const isDistinctive = (name: string): boolean => name.length > 4 && /[_A-Z]|^.{8,}$/.test(name.slice(1));
  return new Set(
    [...hidden].filter(
      (name) => isDistinctive(name) && !shown.has(name) && !usage.names.has(name) && !material.workspace.hasName(name),
    ),
  );
}
