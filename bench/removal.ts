// Time to take one commit out of a later state, against plain git merge-tree: removal --repo DIR [--repo DIR] [--commits 60]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRepository, type Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { attemptStates, readStages } from '../src/construct/references/index.js';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', multiple: true, default: [] },
    commits: { type: 'string', default: '60' },
  },
});
const DISTANCES = [5, 20, 50, 200];

const temporary = await mkdtemp(join(tmpdir(), 'bench-removal-'));
try {
  if (values.repo.length === 0)
    console.log('removal: skipped, no repository (give --repo DIR, a clone with its whole history)');
  for (const [index, folder] of values.repo.entries()) {
    const repository = await openRepository(folder, { writeTo: join(temporary, `${index}`) });
    console.log(`\n${nameOf(folder)}`);
    for (const distance of DISTANCES) await measure(repository, distance);
    await repository.close();
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}

async function measure(repository: Repository, distance: number): Promise<void> {
  const listed = await repository.git({
    args: ['rev-list', '--first-parent', `-n${Number(values.commits) + distance}`, 'HEAD', '--'],
  });
  const line = listed.stdout.toString().trim().split('\n');
  const own: number[] = [];
  const solvedByOwn: number[] = [];
  const plain: number[] = [];
  const tried = { own: 0, ownSolved: 0, plainSolved: 0 };
  for (const [index, commit] of line.entries()) {
    const checkpoint = line[index - distance];
    if (checkpoint === undefined) continue;
    const removed = await removeOwn(repository, commit, checkpoint);
    if (removed === null) continue;
    tried.own += 1;
    const merged = await removePlain(repository, commit, checkpoint);
    if (merged.clean) {
      tried.plainSolved += 1;
      plain.push(merged.ms);
      own.push(removed.ms);
    }
    if (!removed.clean) continue;
    tried.ownSolved += 1;
    solvedByOwn.push(removed.ms);
  }
  const figures = [
    `removed ${tried.ownSolved}/${tried.own} (plain ${tried.plainSolved})`,
    `without conflict p50 ${show(quantile(own, 0.5))} p95 ${show(quantile(own, 0.95))}`,
    `all solved p50 ${show(quantile(solvedByOwn, 0.5))}`,
    `git merge-tree p50 ${show(quantile(plain, 0.5))}`,
    `ratio ${(quantile(own, 0.5) / quantile(plain, 0.5)).toFixed(2)}`,
  ];
  console.log(`  ${distance} commits later: ${figures.join(' · ')}`);
}

/** Null for commits that are no stage: no source or no test changed. */
async function removeOwn(
  repository: Repository,
  commit: string,
  checkpoint: string,
): Promise<{ ms: number; clean: boolean } | null> {
  try {
    const stages = await readStages(repository, { stages: [[commit]], checkpoint });
    const startedAt = performance.now();
    const outcome = await attemptStates(repository, stages);
    return { ms: performance.now() - startedAt, clean: outcome.kind === 'rebuilt' };
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind === 'input') return null;
    throw thrown;
  }
}

/** Reverts the commit with git: base is the commit, ours the checkpoint, theirs the commit's parent. */
async function removePlain(
  repository: Repository,
  commit: string,
  checkpoint: string,
): Promise<{ ms: number; clean: boolean }> {
  const [own, later] = [await repository.commit(commit), await repository.commit(checkpoint)];
  const before = await repository.commit(own.parents[0] ?? commit);
  const startedAt = performance.now();
  const base = await repository.writeCommit({ tree: own.tree, message: 'base' });
  const ours = await repository.writeCommit({ tree: later.tree, parents: [base], message: 'ours' });
  const theirs = await repository.writeCommit({ tree: before.tree, parents: [base], message: 'theirs' });
  const merged = await repository.git({ args: ['merge-tree', '--write-tree', ours, theirs], accept: [0, 1] });
  return { ms: performance.now() - startedAt, clean: merged.exitCode === 0 };
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function show(ms: number): string {
  return Number.isNaN(ms) ? 'none' : `${ms.toFixed(1)} ms`;
}

function nameOf(folder: string): string {
  return /^(?:repo|\.git)$/.test(basename(folder)) ? basename(dirname(folder)) : basename(folder);
}
