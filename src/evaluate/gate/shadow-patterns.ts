import type { RunnerName } from '#documents/test-identity.js';
import { PYTHON_MODULE_NAMES } from './python-module-names.js';

/** What may stand in the way of a runner, with a word for what it is. */
export interface ShadowPattern {
  pattern: RegExp;
  what: string;
  /**
   * The first group of the pattern is a module's place without ending: where a reference state has such a module, it is
   * the project's own and the agent's to change.
   */
  isModule?: true;
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
];

const OF_RUNNER: Record<RunnerName, ShadowPattern[]> = {
  'node-test': [...EVERYWHERE, ...NODE],
  vitest: [...EVERYWHERE, ...NODE],
  pytest: [...EVERYWHERE, ...PYTHON],
};

/**
 * Patterns of paths that nobody but the reference may bring, in order of precedence.
 * @param installed names of the packages that the environment brings
 * @param testFolders folders of hidden files (path keys, '' for the top): Python finds modules there before installed ones
 */
export function shadowPatterns(
  runner: RunnerName,
  installed: readonly string[],
  testFolders: readonly string[],
): readonly ShadowPattern[] {
  if (runner !== 'pytest') return OF_RUNNER[runner];
  const roots = [...new Set(['', 'src', 'lib', ...testFolders])].map((root) =>
    root === '' ? '' : `${escaped(root)}/`,
  );
  // An installed plugin is loaded by its module's name, and a module of the workspace stands before it.
  const names = [...PYTHON_MODULE_NAMES, ...installed.map((name) => escaped(name.replaceAll('-', '_')))];
  const module: ShadowPattern = {
    pattern: new RegExp(`^((?:${roots.join('|')})(?:${names.join('|')}))(?:/.*|\\.pyi?|\\.[^/]*so)$`),
    what: 'a module that stands before the standard library’s, the runner’s or an installed one',
    isModule: true,
    silent: false,
  };
  return [...OF_RUNNER[runner], module];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Whether compiled Python was made to be loaded whatever its source says: hash-based and unchecked (PEP 552), which
 * no tool writes by default.
 */
export function isUncheckedBytecode(path: string, content: Buffer): boolean {
  return path.endsWith('.pyc') && content.length >= 8 && (content.readUInt32LE(4) & 0b11) === 0b01;
}
