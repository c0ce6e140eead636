import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import type { RunnerName } from '#documents/test-identity.js';
import { materialise, type Repository, type TreeFiles } from '#git/index.js';
import { type SandboxKind, whileOpen } from '#sandbox/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { openWorkspaceSandbox, runnerNamed, type SuiteRunResult, type TestOrder } from '#testbed/index.js';

/** Where and how suites run while a task is built. */
export interface SuiteBench {
  repository: Repository;
  environment: Environment;
  /** The environment's content on the host; null for the empty one. */
  environmentFolder: string | null;
  sandbox: SandboxKind;
  runner: RunnerName;
  timeoutMs: number;
  perTestTimeoutMs: number;
  /** Label of the sandboxes, by which leftovers are found. */
  label: string;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

const LIMITS = { pids: 2048, memoryBytes: null, cpus: null, diskBytes: null };

/** Runs test files on a tree: materialised in an empty folder, in a fresh sandbox without network, gone afterwards. */
export function runOnTree(
  bench: SuiteBench,
  tree: TreeFiles,
  files: readonly string[],
  how: { order: TestOrder; clockDays: number },
): Promise<SuiteRunResult> {
  return withTemporaryFolder('observe', async (folder) => {
    const hostWorkspace = join(folder, 'workspace');
    const reportFolder = join(folder, 'report');
    await mkdir(reportFolder);
    await materialise(bench.repository, tree, hostWorkspace);
    const sandbox = await openWorkspaceSandbox({
      kind: bench.sandbox,
      environment: bench.environment,
      environmentFolder: bench.environmentFolder,
      hostWorkspace,
      limits: LIMITS,
      label: bench.label,
    });
    return whileOpen(sandbox, bench.signal, async () => {
      for (const step of bench.environment.prepare) {
        await sandbox.exec({ argv: step.argv, cwd: step.cwd, timeoutMs: step.timeoutMs });
      }
      return runnerNamed(bench.runner).run({
        runner: bench.runner,
        sandbox,
        workspace: '/workspace',
        cwd: '',
        project: null,
        files,
        timeoutMs: bench.timeoutMs,
        perTestTimeoutMs: bench.perTestTimeoutMs,
        reportFolder,
        ...how,
      });
    });
  });
}
