import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { TurnRecord } from '#documents/run-events.js';
import { errorCodeOf } from '#kernel/faults.js';
import { removeTree } from '#store/index.js';
import type { OpenStage } from './journal/index.js';
import type { RunContext } from './run-context.js';
import { makeCheckpoint, treeOf } from './workspace/index.js';

/** Names in a stage's folder that belong to no single attempt. */
const SHARED = new Set(['attempts', 'rounds', 'gate.json', 'gate-output.txt.gz']);

/**
 * Settles the stage that a dead process left open. Where its work is whole (the snapshot was taken and the workspace is
 * still exactly that), only its checkpoint is made up for; else the attempt is given up and kept apart.
 * @returns whether the live folders are as the last ended stage left them
 */
export async function settleOpenStage(context: RunContext, open: OpenStage): Promise<boolean> {
  const { journal, layout, live, repository, owned } = context;
  const { stage, snapshot } = open;
  if (snapshot !== null && (await treeOf(repository, live.workspace, owned)) === snapshot.tree) {
    const checkpointLost = await makeCheckpoint(layout.checkpoints, stage, live);
    await journal.append({ type: 'stage-ended', data: { ...snapshot, checkpointLost } });
    return true;
  }
  await abandonStage(context, open, { why: 'harness-died', message: null, turn: snapshot?.turn ?? null });
  return false;
}

/** Gives up an attempt at a stage: what it wrote goes to stages/k/attempts/a, its spend stays apart. */
export async function abandonStage(
  context: RunContext,
  { stage, round, attempt }: Pick<OpenStage, 'stage' | 'round' | 'attempt'>,
  reason: {
    why: 'harness-died' | 'interrupted' | 'provider-error' | 'environment-error';
    message: string | null;
    turn: TurnRecord | null;
  },
): Promise<void> {
  const from = context.layout.stage(stage);
  const to = context.layout.stageAttempt(stage, attempt);
  for (const name of await namesIn(from)) {
    if (SHARED.has(name)) continue;
    await mkdir(to, { recursive: true });
    // A death between two of these moves leaves the rest for the next process.
    await removeTree(join(to, name));
    await rename(join(from, name), join(to, name));
  }
  await context.journal.append({ type: 'stage-abandoned', data: { stage, round, attempt, ...reason } });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}
