import type { TestKey } from '#documents/test-identity.js';
import type { SuiteRunRequest, SuiteRunResult, TargetResult } from './contract.js';
import { foldProcess, type ProcessOutcome } from './fold-process.js';
import { inOrder } from './order-files.js';
import { suiteResult } from './suite-result.js';
import { type ChildOrder, type Supervised, superviseSuite } from './supervise-suite.js';

export interface BatchRunner {
  supervisor: 'node' | 'python';
  /** The process that runs these files together. */
  childFor: (files: readonly string[]) => ChildOrder;
}

/** After so many processes that did not finish, each remaining file gets a process of its own. */
const SHARED_STARTS = 3;

/**
 * For runners that take many files into one process. The fast path is one process over all files; when it dies or hangs in
 * one file, the files it had not come to are run again without that one.
 */
export async function runInBatches(request: SuiteRunRequest, runner: BatchRunner): Promise<SuiteRunResult> {
  const files = inOrder(request.files, request.order);
  const supervised: Supervised[] = [];
  const outcomes: ProcessOutcome[] = [];
  let pending: readonly string[] = files;
  let leftMs = request.timeoutMs;
  for (let starts = 1; pending.length > 0 && leftMs > 0; starts += 1) {
    const batches = starts > SHARED_STARTS ? pending.map((file) => [file]) : [pending];
    const run = await superviseSuite(request, {
      supervisor: runner.supervisor,
      children: batches.map(runner.childFor),
      timeoutMs: leftMs,
    });
    supervised.push(run);
    leftMs -= run.exec.durationMs;
    const folded = run.report.processes.map((facts, index) => foldProcess(request.runner, batches[index] ?? [], facts));
    outcomes.push(...folded);
    const cutShort = !run.report.ended || run.report.processes.some(({ end }) => end?.killed === 'deadline');
    if (cutShort || batches.length > 1) break;
    const unreached = new Set(folded.flatMap((outcome) => outcome.unreached));
    // Nobody to blame: from here on one by one.
    if (unreached.size === pending.length) starts = SHARED_STARTS;
    pending = pending.filter((file) => unreached.has(file));
  }
  return suiteResult({ files, supervised, outcomes });
}

/** The same with processes that only load the files: the tests that exist, and what became of each file. */
export async function listInBatches(
  request: SuiteRunRequest,
  runner: BatchRunner,
): Promise<{ keys: TestKey[]; targets: TargetResult[] }> {
  const { tests, targets } = await runInBatches(request, runner);
  return { keys: tests.map(({ key }) => key), targets };
}
