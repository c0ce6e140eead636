import { join } from 'node:path';
import { unguessableId } from '#kernel/ids.js';
import type { ExecResult } from '#sandbox/index.js';
import type { SuiteRunRequest } from './contract.js';
import { GUEST_ASSETS, guestAsset } from './guest-assets.js';
import { readReport, type SuiteReport } from './read-report.js';

/** One process to be started by the supervisor: arguments for the same interpreter that runs the supervisor. */
export interface ChildOrder {
  args: string[];
  env: Record<string, string>;
  /** For its standard input; null for none. */
  input: string | null;
}

export interface Supervised {
  report: SuiteReport;
  exec: ExecResult;
}

const TAIL_BYTES = 64 * 1024;
const STDERR_BYTES = 256 * 1024;
const REPORT_BYTES = 300 * 1024 * 1024;
/** The supervisor keeps the time itself; the sandbox cuts in only where the supervisor cannot. */
const GRACE_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Runs processes with tests in them under a supervisor inside the sandbox, and reads its report when all is over. The
 * report is the supervisor's standard output, a file of the host that has no path inside.
 */
export async function superviseSuite(
  request: SuiteRunRequest,
  order: { supervisor: 'node' | 'python'; children: readonly ChildOrder[]; timeoutMs: number },
): Promise<Supervised> {
  const secret = unguessableId(32);
  const reportFile = join(request.reportFolder, `report-${unguessableId(4)}.ndjson`);
  const { sandbox } = request;
  const input = JSON.stringify({
    secret,
    deadlineMs: order.timeoutMs,
    // Where the runner can end a test by itself it comes first, even on a busy machine.
    testSilenceMs: request.perTestTimeoutMs + 5_000,
    loadSilenceMs: request.loadTimeoutMs ?? 3 * request.perTestTimeoutMs + 20_000,
    tailBytes: TAIL_BYTES,
    clockMs: request.clockDays * DAY_MS,
    children: order.children,
  });
  const argv =
    order.supervisor === 'node'
      ? ['node', guestAsset(sandbox, 'supervise.mjs')]
      : ['python3', '-I', guestAsset(sandbox, 'supervise.py')];
  const exec = await sandbox.exec({
    argv,
    cwd: request.cwd === '' ? request.workspace : `${request.workspace}/${request.cwd}`,
    stdin: Buffer.from(input),
    stdoutFile: reportFile,
    timeoutMs: order.timeoutMs + GRACE_MS,
    maxOutputBytes: REPORT_BYTES,
    mounts: [GUEST_ASSETS],
  });
  return {
    report: await readReport(reportFile, secret),
    exec: { ...exec, stderr: exec.stderr.subarray(-STDERR_BYTES) },
  };
}
