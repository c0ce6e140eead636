import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { removeTree } from '#store/index.js';
import type { LivePlaces } from './live-places.js';

/** How many checkpoints of a run are kept, newest first. */
const KEPT = 2;

/**
 * Copies everything a stage began to depend on (workspace with .git, home, tmp) as checkpoint `stage`: what stands after
 * that stage. Taken with nothing running. Appears whole or not at all; making it again replaces it.
 * @returns what could not be copied, in words; null where all could
 * @throws Fault `disk-full`, `checkpoint-not-made` (environment)
 */
export async function makeCheckpoint(checkpoints: string, stage: number, live: LivePlaces): Promise<string | null> {
  const target = join(checkpoints, String(stage));
  const part = join(checkpoints, `.${stage}.part`);
  await removeTree(part);
  await mkdir(part, { recursive: true });
  const sources = [live.workspace, live.home, live.tmp];
  const lost = await copyInto(sources, part);
  for (const source of sources) {
    if (await isThere(join(part, basename(source)))) continue;
    throw new Fault({
      code: 'checkpoint-not-made',
      kind: 'environment',
      message: `${part}: nothing of ${source} could be copied: ${lost ?? 'no reason was given'}`,
      hint: 'Look after the folder and its disk, then run the same command again.',
    });
  }
  await removeTree(target);
  await rename(part, target);
  return lost;
}

/** Removes all but the latest checkpoints, and what an interrupted copy left. */
export async function pruneCheckpoints(checkpoints: string, latest: number): Promise<void> {
  for (const name of await readdir(checkpoints)) {
    const stage = Number(name);
    if (!Number.isInteger(stage) || stage <= latest - KEPT || stage > latest) await removeTree(join(checkpoints, name));
  }
}

/**
 * Puts a run's live folders back to a checkpoint.
 * @throws Fault `checkpoint-missing`, `checkpoint-incomplete` (input) where there is none to go on from
 */
export async function restoreCheckpoint(checkpoints: string, stage: number, live: LivePlaces): Promise<void> {
  const source = join(checkpoints, String(stage));
  if (!(await isThere(source))) {
    throw new Fault({
      code: 'checkpoint-missing',
      kind: 'input',
      message: `${source}: the checkpoint that this run must go on from is missing`,
      hint: 'Restore the folder, or move this attempt aside to run it anew.',
    });
  }
  for (const place of [live.workspace, live.home, live.tmp]) {
    const kept = join(source, basename(place));
    // What stands is only given up for what is really there.
    if (!(await isThere(kept))) throw incomplete(kept, 'it is not there');
    await removeTree(place);
    await mkdir(join(place, '..'), { recursive: true });
    const lost = await copyInto([kept], join(place, '..'));
    if (!(await isThere(place))) throw incomplete(kept, lost ?? 'no reason was given');
  }
}

function incomplete(place: string, why: string): Fault {
  return new Fault({
    code: 'checkpoint-incomplete',
    kind: 'input',
    message: `${place}: this part of the checkpoint cannot be put back: ${why}`,
    hint: 'Restore the folder, or move this attempt aside to run it anew.',
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

/** A full copy with owners, modes, times, links and special files; shared blocks where the file system has them. */
async function copyInto(sources: readonly string[], folder: string): Promise<string | null> {
  const result = await runProcess({
    argv: ['cp', '-a', '--reflink=auto', '--', ...sources, folder],
    env: plainEnvironment(),
    cwd: '/',
    maxOutputBytes: 64 * 1024,
  });
  if (result.exitCode === 0) return null;
  const words = result.stderr.toString('utf8').trim();
  if (/No space left on device|Disk quota exceeded|Read-only file system/.test(words)) {
    throw new Fault({
      code: 'disk-full',
      kind: 'environment',
      message: `${folder}: cannot copy a checkpoint: ${words.slice(0, 500)}`,
      hint: 'Free space and run the same command again; it goes on from the last finished stage.',
    });
  }
  return words.slice(0, 2000);
}
