import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '#documents/environment.js';
import type { RunnerName } from '#documents/test-identity.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import type { SandboxKind } from '#sandbox/index.js';
import { type GradingBench, openGradingBench } from '../support/grade-edited.js';
import { makeTinyTask } from '../support/make-tiny-task.js';
import { EMPTY_ENVIRONMENT } from '../support/run-suite.js';
import { TINY_FEATURES } from '../support/tiny-feature.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Where the runner of a name comes from on this machine; null where it is not to be had. */
export async function environmentFor(
  runner: RunnerName,
): Promise<{ environment: Environment; folder: string | null } | null> {
  if (runner === 'node-test') return { environment: EMPTY_ENVIRONMENT, folder: null };
  if (runner === 'vitest') {
    const environment: Environment = {
      ...EMPTY_ENVIRONMENT,
      digest: 'own node_modules',
      mounts: [{ from: 'node_modules', to: 'node_modules' }],
      scratch: ['node_modules/.vite', 'node_modules/.vite-temp'],
      owned: ['node_modules'],
    };
    return { environment, folder: PROJECT };
  }
  const probe = await runProcess({
    argv: ['python3', '-c', 'import sys, pytest; print(sys.prefix)'],
    env: { ...plainEnvironment(), HOME: '/nonexistent' },
  });
  if (probe.exitCode !== 0) return null;
  const environment = { ...EMPTY_ENVIRONMENT, path: [`${probe.stdout.toString('utf8').trim()}/bin`] };
  return { environment, folder: null };
}

/** A tiny task for a runner, ready to grade edited states in a sandbox. */
export async function openTinyBench(
  folder: string,
  runner: RunnerName,
  kind: SandboxKind,
  limits: { timeoutMs: number; perTestTimeoutMs: number },
): Promise<GradingBench | null> {
  const found = await environmentFor(runner);
  if (found === null) return null;
  const name = `${runner}-${limits.timeoutMs}`;
  const task = await makeTinyTask(join(folder, `task-${name}`), {
    ...{ feature: TINY_FEATURES[runner], environment: found.environment, ...limits },
  });
  return openGradingBench(task, join(folder, `${name}.git`), {
    sandbox: { kind, limits: { pids: 256, memoryBytes: null, cpus: null, diskBytes: null } },
    environmentFolder: found.folder,
    cacheFolder: join(folder, 'cache'),
    label: 'adversary',
  });
}
