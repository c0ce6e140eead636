import { realpath } from 'node:fs/promises';
import { experimentLayout } from '#documents/layout.js';
import type { CaptureMemory, Repository } from '#git/index.js';
import { digestOfJson } from '#kernel/ids.js';
import type { RunJournal } from './journal/index.js';
import type { RunRequest } from './run-request.js';
import { type LivePlaces, livePlaces } from './workspace/index.js';

/** A run while a process works on it. */
export interface RunContext {
  request: RunRequest;
  layout: ReturnType<ReturnType<typeof experimentLayout>['run']>;
  live: LivePlaces;
  journal: RunJournal;
  repository: Repository;
  labels: RunLabels;
  /** What the last snapshot knows of unchanged files. */
  memory: CaptureMemory;
  /** Path keys that are in no snapshot. */
  owned: readonly string[];
}

/** By which what a dead process left of a run is found: its agent's sandbox, and its gates'. */
export interface RunLabels {
  agent: string;
  gates: string;
}

/** Labels are the same for every process that works on the run, and tell nothing about it. */
export async function runLabels(
  folder: string,
  run: { agent: string; task: string; attempt: number },
): Promise<RunLabels> {
  const name = digestOfJson({ folder: await realpath(folder), ...run }).slice(7, 27);
  return { agent: `run-${name}`, gates: `gates-${name}` };
}

/** The places of a run on disk. */
export function runPlaces(request: RunRequest): Pick<RunContext, 'layout' | 'live' | 'owned'> {
  const { agent, task, attempt, plan } = request;
  const run = { agent: agent.name, task: task.package.task.id, attempt };
  const layout = experimentLayout(plan.folder).run(run);
  const owned = [...new Set([...task.package.environment.owned, ...task.package.task.protectedPaths])].sort();
  return { layout, live: livePlaces(layout.live), owned };
}
