import type { ChangedKind, DefinitionChange, FileChange, HistoryCommit, ImportChange } from '../history.js';
import type { BlobFacts } from '../pieces/blob-facts.js';
import type { DefinitionDelta, NameCounts, PairDelta, TitleDelta } from '../pieces/pair-delta.js';
import type { PieceImport } from '../pieces/piece-facts.js';
import type { DefinitionKeys, HashedChange } from './definition-keys.js';
import type { LineOrigins } from './line-origins.js';
import { mergeDelta } from './merge-delta.js';
import type { PlannedPair } from './plan-pairs.js';

/** Deltas and facts by their keys. */
export interface ParsedFacts {
  delta(key: string): PairDelta | null;
  blob(version: string): BlobFacts | null;
}

/** An import that a commit added or removed, before anything has resolved it. */
export interface PendingImport {
  record: ImportChange;
  statement: PieceImport;
}

/** Fills in what parsing tells of a commit. @returns imports whose targets are still to be found */
export function describeCommit(
  commit: HistoryCommit,
  planned: readonly PlannedPair[],
  facts: ParsedFacts,
  { keys, origins }: { keys: DefinitionKeys; origins: LineOrigins },
): { added: PendingImport[]; removed: PendingImport[] } {
  const hashed: HashedChange[] = [];
  const pending = { added: [] as PendingImport[], removed: [] as PendingImport[] };
  for (const { change, pair, branchPair } of planned) {
    const now = pair.new === null ? null : facts.blob(`${pair.new.oid}:${pair.new.language}`);
    noteProblem(commit, change, now);
    const whole = facts.delta(pair.key);
    if (whole === null) continue;
    const branch = branchPair === null ? null : facts.delta(branchPair.key);
    const delta = branch === null ? whole : mergeDelta(whole, branch);
    change.addedLines = delta.addedLines;
    change.removedLines = delta.removedLines;
    if (change.role === 'generated') continue;
    origins.note(commit.index, change.lineage, delta, commit.reworked);
    const isTest = change.role === 'test' || change.role === 'fixture';
    for (const definition of delta.definitions) hashed.push(definitionChange(change, definition, isTest));
    for (const title of delta.titles) if (isTest) hashed.push(titleChange(change, title));
    addCounts(isTest ? commit.testCalls : commit.calls, delta.calls);
    addCounts(isTest ? commit.testIdentifiers : commit.identifiers, delta.identifiers);
    pending.added.push(...delta.importsAdded.map((statement) => pendingImport(change, statement)));
    pending.removed.push(...delta.importsRemoved.map((statement) => pendingImport(change, statement)));
  }
  commit.definitions = keys.settle(hashed);
  commit.importsAdded = pending.added.map(({ record }) => record);
  commit.importsRemoved = pending.removed.map(({ record }) => record);
  return pending;
}

function noteProblem(commit: HistoryCommit, change: FileChange, blob: BlobFacts | null): void {
  if (blob === null) return;
  if (blob.generated) change.role = 'generated';
  if (blob.problem === 'lfs-pointer') change.role = 'binary';
  if (blob.problem !== null && blob.problem !== 'errors')
    commit.problems.push(`${change.path}: not parsed: ${blob.problem}`);
}

function definitionChange(change: FileChange, delta: DefinitionDelta, isTest: boolean): HashedChange {
  const { name, qualifiedName, signature, exported, contentHash } = delta;
  const record: DefinitionChange = {
    key: '',
    name,
    qualifiedName,
    kind: isTest || delta.inTest ? testKind(delta) : delta.kind,
    change: delta.change,
    path: change.path,
    lineage: change.lineage,
    exported,
    inTest: isTest || delta.inTest,
    signature,
  };
  return { change: record, contentHash };
}

function titleChange(change: FileChange, { title, change: how }: TitleDelta): HashedChange {
  const record: DefinitionChange = {
    key: '',
    name: title,
    qualifiedName: JSON.stringify(title),
    kind: 'test',
    change: how,
    path: change.path,
    lineage: change.lineage,
    exported: false,
    inTest: true,
    signature: '',
  };
  // A title alone is no content: equal titles in two files are two tests.
  return { change: record, contentHash: `${change.lineage}` };
}

/** Test functions by the habits of the four languages; helpers keep their kind. */
function testKind({ kind, name, inTest }: DefinitionDelta): ChangedKind {
  if (kind !== 'function' && kind !== 'method') return kind;
  return inTest || /^(?:test_?|Test|Benchmark|Fuzz|Example)/.test(name) ? 'test' : kind;
}

function addCounts(counts: Map<string, number>, more: NameCounts): void {
  for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
}

function pendingImport(change: FileChange, statement: PieceImport): PendingImport {
  return {
    record: {
      path: change.path,
      lineage: change.lineage,
      specifier: statement.specifier,
      names: statement.names,
      targets: [],
    },
    statement,
  };
}
