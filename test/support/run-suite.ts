import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import { type RunnerName, testId } from '#documents/test-identity.js';
import type { SandboxKind } from '#sandbox/index.js';
import { makeTemporaryFolder, withTemporaryFolder } from '#store/index.js';
import { openWorkspaceSandbox, runnerNamed, type SuiteRunRequest, type SuiteRunResult } from '#testbed/index.js';

export const EMPTY_ENVIRONMENT: Environment = {
  digest: 'none',
  recipe: { kind: 'empty', toolchains: {}, install: [], inputs: [], packages: {} },
  mounts: [],
  scratch: [],
  owned: [],
  env: {},
  path: [],
  prepare: [],
};

export interface SuiteCase {
  runner: RunnerName;
  /** Path to content. */
  files: Record<string, string>;
  /** Test files, in order; default: every file of `files` whose name has `test` in it. */
  tests?: string[];
  kind?: SandboxKind;
  environment?: Environment;
  environmentFolder?: string | null;
  /** Link in the workspace to a folder of the host (only with `local`). */
  links?: Record<string, string>;
  request?: Partial<SuiteRunRequest>;
}

export interface CaseResult extends SuiteRunResult {
  /** Status by test id. */
  statuses: Record<string, string>;
  /** State by file. */
  states: Record<string, string>;
}

/** Writes a workspace into a temporary folder, runs its test files in a sandbox, and removes everything. */
export async function runSuiteCase(spec: SuiteCase): Promise<CaseResult> {
  return withSuite(spec, async (request) => {
    const result = await runnerNamed(spec.runner).run(request);
    return {
      ...result,
      statuses: Object.fromEntries(result.tests.map((test) => [testId(test.key), test.status])),
      states: Object.fromEntries(result.targets.map((target) => [target.file, target.state])),
    };
  });
}

/** Opens a sandbox over a workspace written from `spec` and hands out the request to run or list it with. */
export async function withSuite<T>(spec: SuiteCase, work: (request: SuiteRunRequest) => Promise<T>): Promise<T> {
  return withTemporaryFolder('suite', async (folder) => {
    const workspace = join(folder, 'workspace');
    for (const [path, content] of Object.entries(spec.files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), content);
    }
    for (const [path, target] of Object.entries(spec.links ?? {})) await symlink(target, join(workspace, path));
    const sandbox = await openWorkspaceSandbox({
      kind: spec.kind ?? 'local',
      environment: spec.environment ?? EMPTY_ENVIRONMENT,
      environmentFolder: spec.environmentFolder ?? null,
      hostWorkspace: workspace,
      limits: { pids: null, memoryBytes: null, cpus: null, diskBytes: null },
      label: 'test-suite',
    });
    try {
      return await work({
        runner: spec.runner,
        sandbox,
        workspace: '/workspace',
        cwd: '',
        project: null,
        files: spec.tests ?? Object.keys(spec.files).filter((path) => path.includes('test')),
        timeoutMs: 60_000,
        perTestTimeoutMs: 10_000,
        order: { kind: 'listed' },
        reportFolder: await makeTemporaryFolder('report', folder),
        clockDays: 0,
        ...spec.request,
      });
    } finally {
      await sandbox.close();
    }
  });
}
