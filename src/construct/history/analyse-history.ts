import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openRepository, type Repository, type RepositoryFacts, readRepositoryFacts } from '#git/index.js';
import type { Progress } from '#kernel/events.js';
import { Fault } from '#kernel/faults.js';
import { admit, filesAtHead } from './admission.js';
import { commitRecords } from './assemble/commit-records.js';
import { DefinitionKeys } from './assemble/definition-keys.js';
import { describeCommit, type ParsedFacts, type PendingImport } from './assemble/describe-commit.js';
import { graphHistory } from './assemble/graph-history.js';
import { LineOrigins } from './assemble/line-origins.js';
import { readMailmap } from './assemble/mailmap.js';
import { PathEvents } from './assemble/path-events.js';
import { type PlannedPair, planPairs } from './assemble/plan-pairs.js';
import { markScope, versionsAliveInScope } from './assemble/scope.js';
import { FactsCache } from './facts/facts-cache.js';
import { type PairRequest, versionKey } from './facts/facts-job.js';
import { configKey, gatherConfigs } from './facts/gather-configs.js';
import { gatherFacts } from './facts/gather-facts.js';
import { formGroups } from './groups/form-groups.js';
import { semanticRules } from './groups/intent.js';
import { topologyRules } from './groups/topology.js';
import type { History, HistoryCommit, HistoryOptions, ModuleGraph } from './history.js';
import { LineageTracker } from './identity/lineage-tracker.js';
import type { RawHistory } from './raw/raw-history.js';
import { checkBlobs, readRaw } from './raw/read-raw.js';
import { loadResult, resultFileOf, saveResult } from './result-file.js';

/** What the steps of an analysis share. */
interface Analysis {
  repository: Repository;
  options: HistoryOptions;
  progress: Progress;
  signal: AbortSignal | undefined;
}

/**
 * Reads the past of a repository up to a commit: commits, changes with roles, definitions, imports, the module graph at
 * every commit, groups with intent. The repository is only read. What was parsed is kept in `cacheFolder` by blob id,
 * so a second run, or a longer history, costs what is new; an interrupted run keeps what it has done.
 * @throws Fault `not-a-repository`, `repository-empty`, `repository-shallow`, `repository-partial`, `revision-unknown`,
 *   `git-failed` (input)
 */
export async function analyseHistory(
  repositoryPath: string,
  options: HistoryOptions,
  progress: Progress,
  signal?: AbortSignal,
): Promise<History> {
  const repository = await openRepository(repositoryPath);
  try {
    return await analyse({ repository, options, progress, signal });
  } finally {
    await repository.close();
  }
}

async function analyse(analysis: Analysis): Promise<History> {
  const { repository, options } = analysis;
  const facts = await readRepositoryFacts(repository);
  const head = await headOf(repository, facts, options.head);
  const file = resultFileOf(head, facts, options);
  const kept = file === null ? null : await loadResult(file);
  if (kept !== null)
    return { ...kept, gitDir: repository.place.gitDir, figures: { ...kept.figures, parsedVersions: 0 } };
  const history = await analyseAnew(analysis, facts, head);
  if (file !== null) await saveResult(file, history);
  return history;
}

async function headOf(repository: Repository, facts: RepositoryFacts, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return (await repository.commit(asked)).oid;
  if (facts.head !== null) return facts.head;
  throw new Fault({
    code: 'repository-empty',
    kind: 'input',
    message: `${facts.gitDir}: has no commit`,
    hint: 'Name a branch that has commits, or check the path.',
  });
}

async function analyseAnew(analysis: Analysis, facts: RepositoryFacts, head: string): Promise<History> {
  const { repository, options } = analysis;
  const raw = await rawHistoryOf(analysis, facts, head);
  const tracker = new LineageTracker();
  const events = new PathEvents();
  const mailmap = readMailmap((await repository.read(`${raw.head.head}:.mailmap`))?.content.toString('utf8') ?? '');
  const commits = commitRecords({ raw, tracker, events, mailmap });
  markScope(commits, options);
  const planned = new Map(
    commits.filter((commit) => commit.inScope).map((commit) => [commit.index, planPairs(commit, events)]),
  );
  const cache = await FactsCache.open(options.cacheFolder);
  const figures = await gather(analysis, commits, planned, cache);
  const completeness = completenessOf(analysis, raw.head.completeness, lackingVersions(planned, cache));
  const graph = describe(commits, planned, cache);
  const lineages = tracker.finish();
  const groups = await formGroups(commits, options.semantic ?? semanticRules);
  const changingCommits = commits.filter(({ changes }) =>
    changes.some(({ role }) => role === 'source' || role === 'test'),
  ).length;
  const topology = await (options.topologist ?? topologyRules).topologyOf({ graph, lineages, changingCommits });
  const admission = await admit(repository, filesAtHead(commits), options);
  return {
    gitDir: repository.place.gitDir,
    head: raw.head.head,
    gitVersion: raw.head.gitVersion,
    completeness,
    commits,
    groups,
    lineages,
    graph,
    topology,
    admission,
    figures: {
      ...figures,
      commits: raw.commitCount,
      merges: commits.filter((commit) => commit.parents.length > 1).length,
      changes: raw.changeCount,
    },
    indexOf: new Map(commits.map((commit) => [commit.id, commit.index])),
  };
}

/** Versions of files that the repository should have and has not, or has damaged. */
function lackingVersions(planned: ReadonlyMap<number, PlannedPair[]>, cache: FactsCache): number {
  const lacking = new Set<string>();
  for (const { pair, branchPair } of [...planned.values()].flat())
    for (const version of [pair.old, pair.new, branchPair?.old ?? null, branchPair?.new ?? null])
      if (version !== null && cache.blobs.get(versionKey(version))?.problem === 'missing') lacking.add(version.oid);
  return lacking.size;
}

function completenessOf(
  { progress, repository }: Analysis,
  told: History['completeness'],
  lacking: number,
): History['completeness'] {
  if (told !== 'complete' || lacking === 0) return told;
  progress({
    kind: 'notice',
    level: 'warning',
    message: `${repository.place.gitDir}: ${lacking} version(s) of files are missing or damaged and were left out; git fsck names them`,
  });
  return 'partial';
}

async function rawHistoryOf(
  { repository, options, progress, signal }: Analysis,
  facts: RepositoryFacts,
  head: string,
): Promise<RawHistory> {
  const step = 'read commits';
  progress({ kind: 'step-started', step, total: null, unit: 'changes' });
  const request = {
    facts,
    head,
    cacheFolder: options.cacheFolder === null ? null : join(options.cacheFolder, 'raw'),
    allowIncomplete: options.allowIncomplete ?? false,
    onChanges: (done: number) => progress({ kind: 'step-advanced', step, done, total: null, note: null }),
    ...(signal === undefined ? {} : { signal }),
  };
  const raw = await checkBlobs(repository, await readRaw(repository, request), request);
  progress({ kind: 'step-ended', step, note: `${raw.commitCount} commits, ${raw.changeCount} changes` });
  return raw;
}

async function gather(
  { repository, options, progress, signal }: Analysis,
  commits: readonly HistoryCommit[],
  planned: ReadonlyMap<number, PlannedPair[]>,
  cache: FactsCache,
): Promise<{ parsedVersions: number }> {
  await gatherConfigs(repository, commits, cache);
  const byLineage = new Map<number, PairRequest[]>();
  const add = (lineage: number, pair: PairRequest): void => {
    const pairs = byLineage.get(lineage);
    if (pairs === undefined) byLineage.set(lineage, [pair]);
    else pairs.push(pair);
  };
  for (const pairs of planned.values())
    for (const { change, pair, branchPair } of pairs) {
      add(change.lineage, pair);
      if (branchPair !== null) add(change.lineage, branchPair);
    }
  for (const { lineage, pair } of versionsAliveInScope(commits)) add(lineage, pair);
  const parsedVersions = await gatherFacts({
    repository,
    cache,
    byLineage: byLineage.values(),
    workers: options.workers ?? availableParallelism(),
    progress,
    ...(signal === undefined ? {} : { signal }),
  });
  await cache.flush();
  return { parsedVersions };
}

function describe(
  commits: readonly HistoryCommit[],
  planned: ReadonlyMap<number, PlannedPair[]>,
  cache: FactsCache,
): ModuleGraph {
  const facts: ParsedFacts = {
    delta: (key) => cache.pairs.get(key) ?? null,
    blob: (version) => cache.blobs.get(version) ?? null,
  };
  const memory = { keys: new DefinitionKeys(), origins: new LineOrigins() };
  const pending = new Map<number, { added: PendingImport[]; removed: PendingImport[] }>();
  for (const commit of commits)
    if (commit.inScope)
      pending.set(commit.index, describeCommit(commit, planned.get(commit.index) ?? [], facts, memory));
  const graph = graphHistory({
    commits,
    facts,
    pending,
    config: (path, blob) => cache.configs.get(configKey(path, blob)) ?? null,
  });
  return graph;
}
