import type { Runner } from '../../contract.js';

/** pytest's own convention, and what unittest and Django projects use. */
export const TEST_FILES: readonly RegExp[] = [
  /^(?:.*\/)?test_[^/]*\.py$/,
  /^(?:.*\/)?[^/]+_test\.py$/,
  /^(?:.*\/)?tests\.py$/,
];

/** Files that configure pytest or run inside it before the tests. What stands in the way of modules is the gate's to know. */
export const STEERING_FILES: readonly RegExp[] = [
  /^(?:.*\/)?conftest\.py$/,
  /^(?:.*\/)?\.?pytest\.(?:ini|toml)$/,
  /^(?:.*\/)?tox\.ini$/,
  /^(?:.*\/)?\.(?:coveragerc|env|python-version)$/,
  /^(?:.*\/)?pyvenv\.cfg$/,
];

export const STEERING_FIELDS: Runner['steeringFields'] = {
  'pyproject.toml': {
    format: 'toml',
    fields: [
      ['tool', 'pytest'],
      ['tool', 'coverage'],
      ['dependency-groups'],
      ['project', 'optional-dependencies'],
      ['project', 'entry-points', 'pytest11'],
      ['tool', 'poetry', 'group'],
      ['tool', 'poetry', 'dev-dependencies'],
      ['tool', 'poetry', 'plugins', 'pytest11'],
    ],
  },
  'setup.cfg': {
    format: 'ini',
    fields: [['tool:pytest'], ['pytest'], ['coverage:run'], ['options.extras_require']],
  },
};
