import type { Runner } from '../../contract.js';

/** vitest's own convention. */
export const TEST_FILES: readonly RegExp[] = [
  /^(?:.*\/)?[^/]+\.(?:test|spec)\.[cm]?[jt]sx?$/,
  /^(?:.*\/)?__tests__\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/,
];

/** Files that configure vitest or the bundler and package manager under it, or shadow what they load. */
export const STEERING_FILES: readonly RegExp[] = [
  /^(?:.*\/)?(?:vitest|vite)\.config(?:\.[^/]+)?\.[cm]?[jt]s$/,
  /^(?:.*\/)?vitest\.(?:workspace|projects|setup)(?:\.[^/]+)?\.(?:[cm]?[jt]s|json)$/,
  /^(?:.*\/)?__snapshots__\/.*$/,
  /^(?:.*\/)?\.env(?:\..*)?$/,
  /^(?:.*\/)?\.npmrc$/,
  /^(?:.*\/)?\.browserslistrc$/,
  /^(?:.*\/)?(?:postcss|babel|swc)\.config\.[^/]+$/,
  /^(?:.*\/)?node_modules\/.*$/,
];

export const STEERING_FIELDS: Runner['steeringFields'] = {
  'package.json': {
    format: 'json',
    fields: [
      ['scripts'],
      ['devDependencies'],
      ['vitest'],
      ['browserslist'],
      ['postcss'],
      ['overrides'],
      ['workspaces'],
    ],
  },
};
