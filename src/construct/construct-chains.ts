import { join } from 'node:path';
import type { Chain } from '#documents/chains.js';
import type { Attempt, Funnel } from '#documents/funnel.js';
import { autoLayout } from '#documents/layout.js';
import { openRepository } from '#git/index.js';
import type { Clock } from '#kernel/clock.js';
import type { Progress } from '#kernel/events.js';
import { acquireLock, removeTree, withTemporaryFolder } from '#store/index.js';
import { AttemptLog } from './attempt-log.js';
import type { StageRange } from './chain-part.js';
import { chainWindows } from './chain-windows.js';
import { tryStates, tryWindow, type WindowRequest } from './try-window.js';

export interface ChainsRequest extends WindowRequest {
  /** Enough once so many tasks are admitted, those of earlier runs included; null: every chain is tried. */
  stopAfter: number | null;
  /** No suite is begun later than this after the start. */
  budgetMs: number;
  clock: Clock;
}

export interface ChainsOutcome {
  ended: Funnel['ended'];
  /** Attempts of each chain, in the order of the chains; those of earlier runs included. */
  attempts: Attempt[][];
  /** Whether the reference states of a window of each chain hold. */
  holding: boolean[];
}

/** A chain whose suites fail so often is given up: its windows share their tests. */
const MAX_BUILDS = 4;

interface Run {
  request: ChainsRequest;
  log: AttemptLog;
  progress: Progress;
  signal: AbortSignal;
  deadlineMs: number;
}

/**
 * Makes tasks of mined chains, unattended. Reference states, which cost no suite, are tried for every chain first; then
 * tasks are built of the windows whose states hold, best chain first, until one of each chain is admitted. What was
 * found out is kept: the same request goes on where it was stopped.
 * @throws Fault (environment) that is about this machine; `auto-options-changed`, `locked` (input)
 */
export async function constructChains(
  request: ChainsRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<ChainsOutcome> {
  const layout = autoLayout(request.outFolder);
  const lock = await acquireLock(layout.lock, request.outFolder);
  try {
    const { sandbox, repeats, seed, runner } = request.build;
    const options = { sandbox, repeats, seed, runner: runner ?? null, toolVersion: request.build.toolVersion };
    const log = await AttemptLog.open(layout.journal, request.clock, options);
    try {
      await removeTree(layout.building);
      const deadlineMs = request.clock.monotonicMs() + request.budgetMs;
      const ended = await tryAll({ request, log, progress, signal, deadlineMs });
      const { chains } = request.document;
      return {
        ended,
        attempts: chains.map(({ id }) => log.of(id)),
        holding: chains.map(({ id }) => log.holdsAny(id)),
      };
    } finally {
      await log.close();
      await removeTree(layout.building);
    }
  } finally {
    await lock.release();
  }
}

async function tryAll(run: Run): Promise<Funnel['ended']> {
  const { chains } = run.request.document;
  const byStates = 'reference states of chains';
  const { progress } = run;
  progress({ kind: 'step-started', step: byStates, total: chains.length, unit: 'chains' });
  for (const [at, chain] of chains.entries()) {
    const stop = stopReason(run);
    if (stop !== null) return stop;
    const window = await firstHolding(run, chain);
    const note = window === null ? 'none' : `stages ${window.from}-${window.to} of ${chain.id}`;
    progress({ kind: 'step-advanced', step: byStates, done: at + 1, total: chains.length, note });
  }
  progress({ kind: 'step-ended', step: byStates, note: null });
  for (const chain of chains) {
    const stop = await tryChain(run, chain);
    if (stop !== null) return stop;
  }
  return stopReason(run) === 'enough' ? 'enough' : 'complete';
}

function stopReason({ request, log, signal, deadlineMs }: Run): Exclude<Funnel['ended'], 'complete'> | null {
  if (signal.aborted) return 'interrupted';
  if (request.stopAfter !== null && log.admitted >= request.stopAfter) return 'enough';
  return request.clock.monotonicMs() >= deadlineMs ? 'budget' : null;
}

/** The first window of a chain that is not known to fail and whose states hold; null where there is none. */
async function firstHolding(run: Run, chain: Chain): Promise<StageRange | null> {
  const { request, log } = run;
  if (log.of(chain.id).some(({ failed }) => failed === 'none')) return null;
  // A repository of its own for each chain: the trees that were tried go with it.
  return withTemporaryFolder('states', async (temporary) => {
    const repository = await openRepository(request.repositoryPath, { writeTo: join(temporary, 'objects') });
    try {
      for (const window of chainWindows(chain.stages.length)) {
        if (log.find(chain.id, window) !== null) continue;
        if (log.holds(chain.id, window)) return window;
        if (stopReason(run) !== null) return null;
        const failed = await tryStates(repository, request, chain, window);
        if (failed === null) {
          await log.noteHolding(chain.id, window);
          return window;
        }
        await log.add(failed);
      }
      return null;
    } finally {
      await repository.close();
    }
  });
}

/** Builds windows of one chain until one is admitted. @returns why everything ends, or null to go on */
async function tryChain(run: Run, chain: Chain): Promise<Exclude<Funnel['ended'], 'complete'> | null> {
  const { log, progress, signal } = run;
  for (;;) {
    const stop = stopReason(run);
    if (stop !== null) return stop;
    const builds = log.of(chain.id).filter(({ failed }) => failed !== 'states');
    if (builds.length >= MAX_BUILDS) return null;
    const window = await firstHolding(run, chain);
    if (window === null) return stopReason(run);
    const message = `chain ${chain.id}, stages ${window.from}-${window.to}: ${chain.feature}`;
    progress({ kind: 'notice', level: 'info', message });
    try {
      const attempt = await tryWindow(withinBudget(run), chain, window, { progress, signal });
      await log.add(attempt);
      progress({ kind: 'notice', level: 'info', message: `  ${endOf(attempt)}` });
    } catch (thrown) {
      if (signal.aborted) return 'interrupted';
      throw thrown;
    }
  }
}

function endOf({ failed, code, why, task, seconds }: Attempt): string {
  const [first = ''] = why.split('\n');
  const end = failed === 'none' ? `admitted as ${task}` : `${failed}: ${code}: ${first}`;
  return `${end} (${seconds.toFixed(0)} s)`;
}

/** No suite run takes longer than what is left. */
function withinBudget({ request, deadlineMs }: Run): ChainsRequest {
  const leftMs = Math.max(1_000, Math.round(deadlineMs - request.clock.monotonicMs()));
  return { ...request, build: { ...request.build, timeoutMs: Math.min(request.build.timeoutMs, leftMs) } };
}
