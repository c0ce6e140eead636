/** What a file is for, told from its path alone. */
export type FileRole =
  | 'source'
  | 'test'
  /** Data and helpers that tests read. */
  | 'fixture'
  | 'docs'
  /** How the project is built, packaged, checked or run by machines. */
  | 'build'
  | 'generated'
  | 'vendored'
  | 'binary'
  | 'lock'
  /** None of the rules knows it. */
  | 'other';

interface PathParts {
  /** Lower-case path. */
  path: string;
  folders: readonly string[];
  name: string;
}

const SOURCE = /\.(?:pyi?|[cm]?[jt]sx?|rs|go)$/;
const BINARY =
  /\.(?:png|jpe?g|gif|ico|bmp|webp|avif|pdf|woff2?|ttf|otf|eot|zip|t?gz|bz2|xz|7z|jar|wasm|so|dll|dylib|exe|bin|mp[34]|mov|webm|psd|sqlite3?|db|pyc)$/;
const LOCK =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|pylock(?:\.[^/]+)?\.toml|conda-lock\.yml|flake\.lock|composer\.lock|gemfile\.lock)$/;
const VENDORED_FOLDERS = new Set([
  'node_modules',
  'vendor',
  'vendored',
  '_vendor',
  'third_party',
  'third-party',
  'bower_components',
  'deno_dist',
]);
const GENERATED = /(?:\.min\.(?:js|css)|\.pb\.go|_pb2(?:_grpc)?\.pyi?|[._]gen(?:erated)?\.[a-z]+|\.snap\.new|\.map)$/;
const GENERATED_FOLDERS = new Set(['dist', '__generated__', 'generated']);
const TEST_FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'testing',
  'e2e',
  'runtime-tests',
  'runtime_tests',
  'integration-tests',
  'benches',
]);
const FIXTURE_FOLDERS = new Set([
  'fixtures',
  'fixture',
  '__fixtures__',
  'testdata',
  'test-data',
  'test_data',
  '__snapshots__',
  '__mocks__',
  'golden',
  'snapshots',
  'testutil',
  'mocks',
]);
const TEST_NAME =
  /^(?:test_[^/]*\.pyi?|[^/]*_test\.(?:py|go|rs)|tests?\.(?:py|rs)|[^/]*[.-](?:test|spec|test-d|e2e)\.[cm]?[jt]sx?|tests?\.[cm]?[jt]sx?)$/;
const TEST_HELPER = /^(?:conftest\.py|(?:vitest|jest)[.-]setup\.[cm]?[jt]sx?|setup-tests?\.[cm]?[jt]sx?)$/;
const DOCS_FOLDERS = new Set([
  'docs',
  'doc',
  'documentation',
  'website',
  'man',
  'manpages',
  'examples',
  'example',
  'changelog.d',
  'changes',
  'newsfragments',
  '.changeset',
  '.changes',
]);
const PROSE = /\.(?:md|mdx|rst|adoc|asciidoc|txt|org|1)$/;
const PROSE_NAME =
  /^(?:readme|changelog|changes|history|news|licen[cs]e|copying|notice|authors|contributors|contributing|code_of_conduct|security|maintainers|release[-_]?notes|migration|upgrading|todo)(?:[.\-_].*)?$/;
const BUILD_NAME =
  /^(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|manifest\.in|tox\.ini|noxfile\.py|pytest\.ini|pipfile|requirements[^/]*\.(?:txt|in)|cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|clippy\.toml|rustfmt\.toml|go\.(?:mod|work)|makefile|justfile|taskfile\.ya?ml|cmakelists\.txt|dockerfile[^/]*|[^/]*\.dockerfile|docker-compose[^/]*\.ya?ml|tsconfig[^/]*\.json|jsconfig\.json|deno\.jsonc?|jsr\.json|lerna\.json|nx\.json|turbo\.json|biome\.jsonc?|codecov\.ya?ml|[^/]*\.config\.(?:[cm]?[jt]s|json)|\.[^/]*(?:rc|ignore|attributes|config)(?:\.[a-z]+)?|\.pre-commit-config\.ya?ml|\.readthedocs\.ya?ml|\.travis\.yml|appveyor\.yml|[^/]*\.(?:nix|cmake|mk|bazel|bzl))$/;
const BUILD_FOLDERS = new Set([
  '.github',
  '.gitlab',
  '.circleci',
  '.devcontainer',
  '.vscode',
  '.idea',
  '.husky',
  '.azure-pipelines',
  'ci',
  'scripts',
  'build',
  'tools',
  'requirements',
  'release',
  'contrib',
]);

/** The role of a path (a key as of `pathKey`). Rules look at the path only, so that a role never depends on a state. */
export function classifyPath(key: string): FileRole {
  const parts = partsOf(key);
  const below = (names: ReadonlySet<string>): boolean => parts.folders.some((folder) => names.has(folder));
  if (below(VENDORED_FOLDERS)) return 'vendored';
  if (LOCK.test(parts.name)) return 'lock';
  if (isTest(parts, below)) return 'test';
  if (below(FIXTURE_FOLDERS) || (below(TEST_FOLDERS) && !PROSE_NAME.test(parts.name))) return 'fixture';
  if (BINARY.test(parts.name)) return 'binary';
  if (GENERATED.test(parts.name) || below(GENERATED_FOLDERS)) return 'generated';
  if (BUILD_NAME.test(parts.name) || BUILD_FOLDERS.has(parts.folders[0] ?? '')) return 'build';
  if (below(DOCS_FOLDERS) || PROSE.test(parts.name)) return 'docs';
  // `changes.py` is code, `CHANGES` is not.
  if (SOURCE.test(parts.name)) return 'source';
  return PROSE_NAME.test(parts.name) ? 'docs' : 'other';
}

/** A list of what changed from release to release, to which every change adds a line. */
export function isChangelog(key: string): boolean {
  const { name, folders } = partsOf(key);
  if (SOURCE.test(name)) return false;
  return (
    /^(?:changelog|changes|history|news|release[-_]?notes)(?:[.\-_].*)?$/.test(name) ||
    folders.some((folder) => /^(?:changelog\.d|newsfragments|\.changeset|\.changes)$/.test(folder))
  );
}

/** A file that holds nothing but the project's version. */
export function isVersionFile(key: string): boolean {
  return /^(?:version(?:\.(?:txt|py|go|rs|[cm]?[jt]s|json))?|_version\.py|__version__\.py|\.release-please-manifest\.json|\.bumpversion\.cfg)$/.test(
    partsOf(key).name,
  );
}

/** Configuration of services and editors that no build and no test of the project reads. */
export function isHousekeeping(key: string): boolean {
  const { folders, name } = partsOf(key);
  return (
    new Set(['.github', '.gitlab', '.circleci', '.devcontainer', '.vscode', '.idea', '.husky', '.azure-pipelines']).has(
      folders[0] ?? '',
    ) ||
    /^(?:\.editorconfig|\.git(?:ignore|attributes|-blame-ignore-revs)|\.mailmap|\.pre-commit-config\.ya?ml|\.readthedocs\.ya?ml|\.travis\.yml|appveyor\.yml|codecov\.ya?ml|\.codecov\.ya?ml)$/.test(
      name,
    )
  );
}

function isTest({ name }: PathParts, below: (names: ReadonlySet<string>) => boolean): boolean {
  if (TEST_NAME.test(name) || TEST_HELPER.test(name)) return true;
  return SOURCE.test(name) && below(TEST_FOLDERS) && !below(FIXTURE_FOLDERS);
}

function partsOf(key: string): PathParts {
  const path = key.toLowerCase();
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return { path, folders, name };
}
