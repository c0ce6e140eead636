import type { Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { assertStates, requireRightStates } from './assert-states.js';
import { readStages, type StagesRequest } from './read-stages.js';
import { rebuildStates } from './rebuild-states.js';

/** Consecutive stages of a chain, `from` included, `to` not. */
export interface StageWindow {
  from: number;
  to: number;
}

/** Rebuilding is tried at most so often. */
const MAX_TRIES = 30;

/**
 * The longest run of at least two consecutive stages, fewer than all, that can be rebuilt right with its own last commit
 * as checkpoint; among equals the latest. Null where none was found.
 */
export async function findWindow(repository: Repository, request: StagesRequest): Promise<StageWindow | null> {
  const count = request.stages.length;
  let tries = 0;
  for (let length = count - (request.checkpoint === undefined ? 1 : 0); length >= 2; length -= 1) {
    for (let from = count - length; from >= 0; from -= 1) {
      tries += 1;
      if (tries > MAX_TRIES) return null;
      const window = { from, to: from + length };
      if (await canRebuild(repository, request.stages.slice(window.from, window.to))) return window;
    }
  }
  return null;
}

async function canRebuild(repository: Repository, stages: StagesRequest['stages']): Promise<boolean> {
  return (await judgeStages(repository, { stages })) === null;
}

/** Why the states of a chain cannot be had. */
export interface StatesRefusal {
  code: string;
  why: string;
}

/**
 * Whether stages can be rebuilt right, told without running a test.
 * @returns null where they can
 */
export async function judgeStages(repository: Repository, request: StagesRequest): Promise<StatesRefusal | null> {
  try {
    requireRightStates(
      await assertStates(repository, await rebuildStates(repository, await readStages(repository, request))),
    );
    return null;
  } catch (thrown) {
    // A window whose stages do not stand on their own is no window; what is not about the input is not for here.
    if (thrown instanceof Fault && thrown.kind === 'input') return { code: thrown.code, why: thrown.message };
    throw thrown;
  }
}
