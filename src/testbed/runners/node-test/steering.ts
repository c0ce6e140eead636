import type { Runner } from '../../contract.js';

/** Files that node:test takes for tests by its own convention, and by the common one. */
export const TEST_FILES: readonly RegExp[] = [
  /^(?:.*\/)?[^/]+[._-]test\.(?:js|mjs|cjs|ts|mts|cts)$/,
  /^(?:.*\/)?[^/]+\.spec\.(?:js|mjs|cjs|ts|mts|cts)$/,
  /^(?:.*\/)?test-[^/]+\.(?:js|mjs|cjs|ts|mts|cts)$/,
  /^(?:.*\/)?test\.(?:js|mjs|cjs|ts|mts|cts)$/,
  /^(?:.*\/)?test\/(?:.*\/)?[^/]+\.(?:js|mjs|cjs|ts|mts|cts)$/,
];

/** Files that change how Node itself or the runner starts; node:test has hardly any. */
export const STEERING_FILES: readonly RegExp[] = [
  /^(?:.*\/)?\.env(?:\..*)?$/,
  /^(?:.*\/)?\.npmrc$/,
  /^(?:.*\/)?node\.config\.json$/,
  /^(?:.*\/)?node_modules\/.*$/,
];

export const STEERING_FIELDS: Runner['steeringFields'] = {
  'package.json': { format: 'json', fields: [['scripts'], ['devDependencies']] },
};
