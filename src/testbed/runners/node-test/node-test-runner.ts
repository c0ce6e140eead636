import type { Runner, SuiteRunRequest, SuiteRunResult } from '../../contract.js';
import { foldProcess } from '../../fold-process.js';
import { guestAsset } from '../../guest-assets.js';
import { nameableFiles, pathText } from '../../guest-path.js';
import { inOrder } from '../../order-files.js';
import { suiteResult } from '../../suite-result.js';
import { type ChildOrder, superviseSuite } from '../../supervise-suite.js';
import { STEERING_FIELDS, STEERING_FILES, TEST_FILES } from './steering.js';

/**
 * node:test. Each file runs in a process of its own, one after the other, so a file that hangs or dies loses only
 * itself. Events are taken where node:test makes them, not from its reporters, which lag behind an exit or a hang.
 */
export const nodeTestRunner: Runner = {
  name: 'node-test',
  testFilePatterns: TEST_FILES,
  steeringFilePatterns: STEERING_FILES,
  steeringFields: STEERING_FIELDS,
  // Node 20 can only run files; a name pattern that matches nothing leaves subtests out and still runs suite bodies.
  list: async () => null,
  run: runFiles,
};

async function runFiles(request: SuiteRunRequest): Promise<SuiteRunResult> {
  const files = inOrder(request.files, request.order);
  const { named, unnameable } = nameableFiles(files);
  const supervised = await superviseSuite(request, {
    supervisor: 'node',
    timeoutMs: request.timeoutMs,
    children: named.map((file) => childFor(request, file)),
  });
  const outcomes = supervised.report.processes.map((facts, index) =>
    foldProcess('node-test', named.slice(index, index + 1), facts),
  );
  const result = suiteResult({ files: named, supervised: [supervised], outcomes });
  return unnameable.length === 0 ? result : { ...result, targets: [...result.targets, ...unnameable] };
}

function childFor({ sandbox, workspace }: SuiteRunRequest, file: string): ChildOrder {
  return {
    args: [
      '--require',
      guestAsset(sandbox, 'node-test/preload.cjs'),
      `--test-reporter=${guestAsset(sandbox, 'node-test/reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      sandbox.guestPath(`${workspace}/${pathText(file) ?? file}`),
    ],
    env: {},
    input: null,
  };
}
