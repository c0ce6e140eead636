import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chain, Chains } from '#documents/chains.js';
import type { Attempt } from '#documents/funnel.js';
import { autoLayout } from '#documents/layout.js';
import type { Repository } from '#git/index.js';
import type { Progress } from '#kernel/events.js';
import { Fault, messageOf } from '#kernel/faults.js';
import { removeTree } from '#store/index.js';
import { chainPart, checkpointOf, locateChain, type StageRange } from './chain-part.js';
import type { ConstructRequest, SpecWriter } from './construct-request.js';
import { constructTask } from './construct-task.js';
import { judgeStages } from './references/index.js';
import { nameOfRepository, slugOf } from './task-names.js';

/** Whether a task is fit to evaluate with; the refusals say why not. */
export interface AdmissionVerdict {
  ok: boolean;
  refusals: string[];
}

/** What a window is tried with. */
export interface WindowRequest {
  document: Chains;
  repositoryPath: string;
  outFolder: string;
  build: Omit<
    ConstructRequest,
    'repository' | 'stages' | 'chain' | 'checkpoint' | 'outFolder' | 'id' | 'title' | 'signal'
  >;
  specs: SpecWriter;
  /** Checks a built task: another act's work, so whoever composes brings it. */
  admit(taskFolder: string): Promise<AdmissionVerdict>;
}

/** Faults of the machine that say something about the chain: its dependencies or its preparation do not work here. */
const ABOUT_THE_CHAIN = new Set(['environment-not-built', 'prepare-failed', 'environment-not-stored']);

/** Whether the reference states of a window hold; null where they do, else the attempt that ended there. */
export async function tryStates(
  repository: Repository,
  { document }: Pick<WindowRequest, 'document'>,
  chain: Chain,
  window: StageRange,
): Promise<Attempt | null> {
  const startedAt = performance.now();
  const part = chainPart(document, chain, window);
  const refusal = await judgeStages(repository, { stages: part.stages, ...(await checkpointOf(repository, part)) });
  if (refusal === null) return null;
  return { ...named(chain, window, startedAt), failed: 'states', code: refusal.code, why: refusal.why, task: null };
}

/**
 * Builds a task of a window and has it checked. An admitted task goes to `tasks`, a refused one to `refused`.
 * @throws Fault (environment) that is about this machine and not about the chain; the signal's reason
 */
export async function tryWindow(
  request: WindowRequest,
  chain: Chain,
  window: StageRange,
  watch: { progress: Progress; signal: AbortSignal },
): Promise<Attempt> {
  const startedAt = performance.now();
  const layout = autoLayout(request.outFolder);
  const id = taskId(request.repositoryPath, chain, window);
  await removeTree(join(layout.building, id));
  const part = chainPart(request.document, chain, window);
  const ended = (rest: Pick<Attempt, 'failed' | 'code' | 'why' | 'task'>): Attempt => ({
    ...named(chain, window, startedAt),
    ...rest,
  });
  let folder: string;
  try {
    const located = await locateChain(request.repositoryPath, part);
    const asked = {
      repository: request.repositoryPath,
      ...part,
      ...located,
      outFolder: layout.building,
      id,
      ...request.build,
      signal: watch.signal,
    };
    folder = (await constructTask(asked, request.specs, watch.progress)).folder;
  } catch (thrown) {
    watch.signal.throwIfAborted();
    if (thrown instanceof Fault && thrown.kind === 'environment' && !ABOUT_THE_CHAIN.has(thrown.code)) throw thrown;
    const code = thrown instanceof Fault ? thrown.code : 'internal';
    return ended({ failed: 'build', code, why: messageOf(thrown), task: null });
  }
  const verdict = await request.admit(folder);
  const place = join(verdict.ok ? layout.tasks : layout.refused, id);
  await removeTree(place);
  await mkdir(join(place, '..'), { recursive: true });
  await rename(folder, place);
  return verdict.ok
    ? ended({ failed: 'none', code: null, why: '', task: id })
    : ended({ failed: 'check', code: 'refused', why: verdict.refusals.join('; '), task: id });
}

function named(chain: Chain, { from, to }: StageRange, startedAt: number) {
  return { chain: chain.id, from, to, seconds: (performance.now() - startedAt) / 1000 };
}

const FEATURE_LETTERS = 36;

/** The same for the same stages, and told apart from every other window's. */
function taskId(repositoryPath: string, chain: Chain, { from, to }: StageRange): string {
  const feature = slugOf(`${nameOfRepository(repositoryPath)}-${chain.feature}`).slice(0, FEATURE_LETTERS);
  return `${feature.replace(/-+$/, '')}-${chain.id.slice(2, 8)}-${from}-${to}`;
}
