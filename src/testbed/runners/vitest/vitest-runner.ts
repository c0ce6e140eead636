import { seededRandom } from '#kernel/random.js';
import type { Runner, SuiteRunRequest, SuiteRunResult } from '../../contract.js';
import { guestAsset } from '../../guest-assets.js';
import { nameableFiles } from '../../guest-path.js';
import { listInBatches, runInBatches } from '../../run-in-batches.js';
import type { ChildOrder } from '../../supervise-suite.js';
import { STEERING_FIELDS, STEERING_FILES, TEST_FILES } from './steering.js';

/**
 * vitest 0.34 to 4, the environment's own, started through its programming interface with our reporter and sequencer, so
 * that nothing of ours depends on the workspace's command line. No retries, no coverage, no cache; snapshots are never
 * written (CI=1).
 */
export const vitestRunner: Runner = {
  name: 'vitest',
  testFilePatterns: TEST_FILES,
  steeringFilePatterns: STEERING_FILES,
  steeringFields: STEERING_FIELDS,
  list: async (request) => {
    const { named, unnameable } = nameableFiles(request.files);
    const listed = await listInBatches(
      { ...request, files: named, order: { kind: 'listed' } },
      { supervisor: 'node', childFor: (files) => childFor(request, files, 'list') },
    );
    return { ...listed, targets: [...listed.targets, ...unnameable] };
  },
  run: runFiles,
};

async function runFiles(request: SuiteRunRequest): Promise<SuiteRunResult> {
  const { named, unnameable } = nameableFiles(request.files);
  const result = await runInBatches(
    { ...request, files: named },
    { supervisor: 'node', childFor: (files) => childFor(request, files, 'run') },
  );
  return { ...result, targets: [...result.targets, ...unnameable] };
}

function childFor(request: SuiteRunRequest, files: readonly string[], mode: 'run' | 'list'): ChildOrder {
  const { order, sandbox } = request;
  const workspace = sandbox.guestPath(request.workspace);
  return {
    args: [guestAsset(sandbox, 'vitest/launch.mjs')],
    env: {},
    input: JSON.stringify({
      mode,
      files,
      workspace,
      project: request.project,
      perTestTimeoutMs: request.perTestTimeoutMs,
      order,
      numberSeed: order.kind === 'shuffled' ? seededRandom(`${order.seed}/tests`).below(1_000_000_000) : 0,
    }),
  };
}
