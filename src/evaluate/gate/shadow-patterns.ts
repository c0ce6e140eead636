import type { RunnerName } from '#documents/test-identity.js';
import { PYTHON_MODULE_NAMES } from './python-module-names.js';

/** What may stand in the way of a runner, with a word for what it is. */
export interface ShadowPattern {
  pattern: RegExp;
  what: string;
  /** Removed without a word where the tools make such files of their own accord. */
  silent: boolean;
}

const EVERYWHERE: ShadowPattern[] = [
  { pattern: /^(?:.*\/)?\.gitattributes$/, what: 'a file that steers git', silent: false },
  { pattern: /^(?:.*\/)?\.env(?:\.[^/]*)?$/, what: 'a file that sets variables', silent: false },
];

const NODE: ShadowPattern[] = [
  {
    pattern: /^(?:.*\/)?node_modules\/(?:\.(?:vite|vitest|cache|vite-temp)|\.package-lock\.json)(?:\/.*)?$/,
    what: 'a cache of modules',
    silent: true,
  },
  { pattern: /^(?:.*\/)?node_modules(?:\/.*)?$/, what: 'modules that stand before the environment’s', silent: false },
  { pattern: /^(?:.*\/)?\.npmrc$/, what: 'settings of the package manager', silent: false },
  { pattern: /^(?:.*\/)?\.yarnrc(?:\.yml)?$/, what: 'settings of the package manager', silent: false },
  { pattern: /^(?:.*\/)?\.pnpmfile\.c?js$/, what: 'settings of the package manager', silent: false },
  { pattern: /^(?:.*\/)?\.pnp\.(?:c?js|loader\.mjs)$/, what: 'a module loader', silent: false },
];

const PYTHON: ShadowPattern[] = [
  { pattern: /^(?:.*\/)?__pycache__(?:\/.*)?$/, what: 'compiled Python', silent: true },
  { pattern: /^(?:.*\/)?\.pytest_cache(?:\/.*)?$/, what: 'a cache of the runner', silent: true },
  { pattern: /^.*\.py[co]$/, what: 'compiled Python', silent: false },
  { pattern: /^.*\.pth$/, what: 'a path file of Python', silent: false },
  {
    pattern: /^(?:.*\/)?(?:sitecustomize|usercustomize)(?:\/.*|\.[^/]*)$/,
    what: 'a module that Python runs at every start',
    silent: false,
  },
  // Metadata of an installed distribution can name plugins that pytest loads of its own accord.
  { pattern: /^(?:.*\/)?[^/]+\.(?:egg|dist)-info(?:\/.*)?$/, what: 'metadata of a distribution', silent: false },
  {
    pattern: new RegExp(`^(?:src/|lib/)?(?:${PYTHON_MODULE_NAMES.join('|')})(?:/.*|\\.pyi?|\\.[^/]*so)$`),
    what: 'a module that stands before the standard library’s or the runner’s',
    silent: false,
  },
];

const OF_RUNNER: Record<RunnerName, ShadowPattern[]> = {
  'node-test': [...EVERYWHERE, ...NODE],
  vitest: [...EVERYWHERE, ...NODE],
  pytest: [...EVERYWHERE, ...PYTHON],
};

/**
 * Patterns of paths that nobody but the reference may bring, in order of precedence.
 * @param installed names of the packages that the environment brings
 */
export function shadowPatterns(runner: RunnerName, installed: readonly string[]): readonly ShadowPattern[] {
  if (runner !== 'pytest' || installed.length === 0) return OF_RUNNER[runner];
  // An installed plugin is loaded by its module's name, and a module of the workspace stands before it.
  const modules = installed.map((name) => name.replaceAll('-', '_').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^(?:src/|lib/)?(?:${modules.join('|')})(?:/.*|\\.pyi?|\\.[^/]*so)$`, 'i');
  return [...OF_RUNNER[runner], { pattern, what: 'a module that stands before an installed one', silent: false }];
}

/**
 * Whether compiled Python was made to be loaded whatever its source says: hash-based and unchecked (PEP 552), which
 * no tool writes by default.
 */
export function isUncheckedBytecode(path: string, content: Buffer): boolean {
  return path.endsWith('.pyc') && content.length >= 8 && (content.readUInt32LE(4) & 0b11) === 0b01;
}
