import type { Runner, SuiteRunRequest } from '../../contract.js';
import { guestAsset } from '../../guest-assets.js';
import { listInBatches, runInBatches } from '../../run-in-batches.js';
import type { ChildOrder } from '../../supervise-suite.js';
import { STEERING_FIELDS, STEERING_FILES, TEST_FILES } from './steering.js';

/**
 * pytest, the environment's own, started in a process of ours with our plugin. Plugins that repeat, spread or reorder
 * tests are overruled. A test that takes too long is ended inside the process; one that cannot be, with its process.
 */
export const pytestRunner: Runner = {
  name: 'pytest',
  testFilePatterns: TEST_FILES,
  steeringFilePatterns: STEERING_FILES,
  steeringFields: STEERING_FIELDS,
  list: (request) =>
    listInBatches(request, { supervisor: 'python', childFor: (files) => childFor(request, files, 'list') }),
  run: (request) =>
    runInBatches(request, { supervisor: 'python', childFor: (files) => childFor(request, files, 'run') }),
};

function childFor(request: SuiteRunRequest, files: readonly string[], mode: 'run' | 'list'): ChildOrder {
  return {
    args: [guestAsset(request.sandbox, 'pytest/launch.py')],
    env: {},
    input: JSON.stringify({
      mode,
      files,
      workspace: request.sandbox.guestPath(request.workspace),
      perTestSeconds: request.perTestTimeoutMs / 1000,
      order: request.order,
    }),
  };
}
