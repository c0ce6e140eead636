import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chains } from '#documents/chains.js';
import { minedLayout } from '#documents/layout.js';
import type { Progress } from '#kernel/events.js';
import { Fault } from '#kernel/faults.js';
import { roleByModel } from '#roles/index.js';
import { inOwnFolder, writeFileAtomic } from '#store/index.js';
import { writeCatalogue } from './catalogue/index.js';
import { type ChainFindings, exportGraph, findChains, type ReviewerRole } from './chains/index.js';
import { analyseHistory, type History, type SemanticRole } from './history/index.js';
import { intentByModel, intentRole } from './intent-by-model.js';
import { requirePlaces } from './mine-places.js';
import type { MineReport, MineRequest, MiningReviewer } from './mine-request.js';
import { keyOfArgument, noteUnknownPaths, withPlainWindow } from './mine-window.js';
import { chainReviewRole, reviewByModel } from './review-by-model.js';

/**
 * Mines a repository: history, evidence graph, searches, review, ranking; then writes chains.json, rejections.jsonl,
 * chains.md and, where asked for, the graph. The repository is only read. What was parsed is kept in `cacheFolder`, also
 * where the signal ends the run.
 * @throws Fault of the step that refused; `repository-not-admitted` and those of the window and the places (input); the
 *   signal's reason
 */
export async function mineChains(asked: MineRequest, progress: Progress, signal: AbortSignal): Promise<MineReport> {
  const request = withPlainWindow(asked);
  await requirePlaces(request);
  const seconds: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const result = await work();
    seconds[name] = (performance.now() - startedAt) / 1000;
    return result;
  };
  const roles = await modelRoles(request, progress, signal);
  const history = await timed('history', () =>
    inOwnFolder(request.cacheFolder, () => analyse(request, roles.semantic, progress, signal)),
  );
  noteUnknownPaths(history, request.paths ?? [], progress);
  requireAdmitted(history, request);
  const findings = await timed('chains', () =>
    search(history, { request, reviewer: roles.reviewer, progress, signal }),
  );
  const rejections = [...findings.rejections, ...(roles.reviewer?.failures() ?? [])];
  const document = describe(request, history, findings, rejections.length);
  const files = await timed('documents', () =>
    inOwnFolder(request.outFolder, () =>
      writeCatalogue(request.outFolder, {
        document,
        rejections,
        graph:
          request.graph === undefined
            ? null
            : { format: request.graph, text: exportGraph(findings.graph, request.graph) },
      }),
    ),
  );
  return { folder: request.outFolder, files, admission: history.admission.criteria, document, rejections, seconds };
}

function analyse(
  request: MineRequest,
  semantic: SemanticRole | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<History> {
  const { sinceMs, untilMs, maxCommits, workers, allowIncomplete, stars, cacheFolder } = request;
  const paths = request.paths?.map(keyOfArgument);
  const options = { sinceMs, untilMs, maxCommits, paths, workers, allowIncomplete, stars };
  const roles = semantic === null ? {} : { semantic };
  return analyseHistory(request.repository, { cacheFolder, ...roles, ...given(options) }, progress, signal);
}

/** The roles that a model plays, with transcripts beside the chains; null where rules do. Older transcripts go first. */
async function modelRoles(
  { model, byModel, outFolder }: MineRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ reviewer: MiningReviewer | null; semantic: SemanticRole | null }> {
  if (model === undefined) return { reviewer: null, semantic: null };
  const { transcripts } = minedLayout(outFolder);
  await rm(transcripts, { recursive: true, force: true });
  const keep = (name: string, result: object): Promise<void> =>
    writeFileAtomic(
      join(transcripts, `${name}.json`),
      `${JSON.stringify({ model: model.model, ...result }, null, 2)}\n`,
    );
  return {
    reviewer: byModel?.has('review') ? reviewByModel(roleByModel(chainReviewRole, model), keep, signal) : null,
    semantic: byModel?.has('intents')
      ? intentByModel(roleByModel(intentRole, model), { keep, progress, signal })
      : null,
  };
}

interface Search {
  request: MineRequest;
  reviewer: MiningReviewer | null;
  progress: Progress;
  signal: AbortSignal;
}

async function search(history: History, { request, reviewer, progress, signal }: Search): Promise<ChainFindings> {
  const { searches, rank, seed, limit, allowUntested, reviewsAtATime } = request;
  const step = 'find chains';
  progress({ kind: 'step-started', step, total: null, unit: null });
  const findings = await findChains(history, {
    ...given({ searches, rank, seed, limit, allowUntested, reviewsAtATime }),
    ...(reviewer === null ? {} : { reviewer: watched(reviewer, progress, signal) }),
  });
  const { chains, candidates } = findings;
  progress({ kind: 'step-ended', step, note: `${candidates} candidates, ${chains.length} chains` });
  return findings;
}

/** The same reviewer, with its reviews counted for those who watch, and no new one once the run is to end. */
function watched(role: ReviewerRole, progress: Progress, signal: AbortSignal): ReviewerRole {
  let done = 0;
  return {
    reviewer: role.reviewer,
    review: async (question) => {
      signal.throwIfAborted();
      const decision = await role.review(question);
      done += 1;
      progress({ kind: 'step-advanced', step: 'find chains', done, total: null, note: `${done} reviewed` });
      return decision;
    },
  };
}

function requireAdmitted({ admission, gitDir }: History, { force }: MineRequest): void {
  const failed = admission.criteria.filter(({ passed }) => passed === false);
  if (failed.length === 0 || force === true) return;
  throw new Fault({
    code: 'repository-not-admitted',
    kind: 'input',
    message: `${gitDir}: no tasks can be made of it: ${failed.map(({ name, found }) => `${name}: ${found}`).join('; ')}`,
    hint: 'Choose another repository, or add --force to mine it all the same.',
    context: { admission: admission.criteria },
  });
}

function describe(
  request: MineRequest,
  { head, completeness, commits, groups, admission }: History,
  { chains, graph, candidates }: ChainFindings,
  rejected: number,
): Chains {
  const { sinceMs, untilMs, maxCommits, paths, searches, rank, limit, allowUntested, model, byModel } = request;
  const asked = model === undefined ? {} : { model: model.model, byModel: [...(byModel ?? [])].sort() };
  return {
    repository: request.repository,
    head,
    completeness,
    toolVersion: request.toolVersion,
    seed: request.seed ?? '0',
    options: { ...given({ sinceMs, untilMs, maxCommits, paths, searches, rank, limit, allowUntested }), ...asked },
    admission: admission.criteria.map(({ name, passed, found }) => ({ name, passed, found })),
    counts: {
      commits: commits.length,
      groups: groups.length,
      nodes: graph.nodes.length,
      edges: graph.edges.length,
      candidates,
      rejected,
    },
    chains,
  };
}

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only what was said. */
function given<T extends object>(options: T): Known<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Known<T>;
}
