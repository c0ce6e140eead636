import { scanTaskSpecs } from '#construct/index.js';
import { type CheckReport, checkTask } from '#evaluate/index.js';
import { systemClock } from '#kernel/clock.js';
import type { Progress } from '#kernel/events.js';
import { unguessableId } from '#kernel/ids.js';
import type { SandboxKind } from '#sandbox/index.js';
import { cacheRoot, environmentFolder, openTaskPackage } from '#store/index.js';

export interface FolderReport extends CheckReport {
  task: string;
}

/** Checks the task in a folder, in this machine's copy of its environment. */
export async function checkFolder(
  folder: string,
  asked: { kind: SandboxKind; repeats: number; concurrency: number; signal: AbortSignal },
  progress: Progress,
): Promise<FolderReport> {
  const task = await openTaskPackage(folder);
  const { environment } = task;
  const request = {
    repeats: asked.repeats,
    sandbox: { kind: asked.kind, limits: { pids: 2048, memoryBytes: null, cpus: null, diskBytes: null } },
    environmentFolder:
      environment.recipe.kind === 'empty' ? null : await environmentFolder(cacheRoot(), environment.digest),
    concurrency: asked.concurrency,
    scanSpecs: scanTaskSpecs,
    clock: systemClock,
    label: `check-${unguessableId(4)}`,
    signal: asked.signal,
  };
  return { task: task.task.id, ...(await checkTask(task, request, progress)) };
}
