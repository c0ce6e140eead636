import type { PieceImport } from '../pieces/piece-facts.js';
import type { ConfigFacts } from './config-facts.js';
import { folderOf, foldersUp, joinPath } from './tree-paths.js';
import type { TreeView } from './tree-view.js';

const EXTENSIONS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** What a compiled name may stand for in the sources. */
const SOURCES_OF: Record<string, string[]> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts', '.ts'],
  '.cjs': ['.cts', '.ts'],
};
const BUILD_FOLDERS = /^(?:dist|lib|build|out|esm|cjs|types)\//;

/** The file that a TypeScript or JavaScript import leads to in this tree; empty where it leads outside. */
export function resolveScript(importer: string, statement: PieceImport, view: TreeView): string[] {
  const specifier = statement.specifier.replace(/[?#](?=[^/]*$).*$/, (tail, at: number) => (at === 0 ? tail : ''));
  const folder = folderOf(importer);
  if (specifier.startsWith('.')) return one(fileAt(joinPath(folder, specifier), view));
  if (specifier.startsWith('/') || /^[a-z]+:/.test(specifier)) return [];
  return one(
    byAlias(folder, specifier, view) ??
      (specifier.startsWith('#') ? byOwnImports(folder, specifier, view) : byWorkspace(specifier, view)) ??
      byHabit(folder, specifier, view),
  );
}

function one(path: string | null): string[] {
  return path === null ? [] : [path];
}

/** A file named with or without its extension, compiled or not, or a folder's index. */
function fileAt(path: string | null, view: TreeView): string | null {
  if (path === null) return null;
  const extension = /\.[a-z]+$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - extension.length);
  for (const source of SOURCES_OF[extension] ?? []) if (view.has(stem + source)) return stem + source;
  if (view.has(path)) return path;
  for (const candidate of EXTENSIONS) if (view.has(path + candidate)) return path + candidate;
  const index = path === '' ? 'index' : `${path}/index`;
  for (const candidate of EXTENSIONS) if (view.has(index + candidate)) return index + candidate;
  return null;
}

/** `paths` and `baseUrl` of the nearest tsconfig that has them, and import maps. */
function byAlias(folder: string, specifier: string, view: TreeView): string | null {
  for (const above of foldersUp(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const found = byTsconfig(above + name, specifier, view, 0);
      if (found !== null) return found;
    }
    const deno = view.config(`${above}deno.json`);
    const found = deno?.kind === 'deno' ? byPatterns(above, deno.imports, specifier, view) : null;
    if (found !== null) return found;
  }
  return null;
}

function byTsconfig(path: string, specifier: string, view: TreeView, depth: number): string | null {
  const config = view.config(path);
  if (config?.kind !== 'tsconfig' || depth > 4) return null;
  const folder = folderOf(path);
  const base = config.baseUrl === null ? folder : folderPath(joinPath(folder, config.baseUrl));
  const pairs = config.paths.flatMap(([pattern, targets]) =>
    targets.map((target): [string, string] => [pattern, target]),
  );
  const found =
    byPatterns(base, pairs, specifier, view) ??
    (config.baseUrl === null ? null : fileAt(joinPath(base, specifier), view));
  if (found !== null || config.extends === null) return found;
  const extended = joinPath(folder, config.extends);
  return extended === null
    ? null
    : byTsconfig(extended.endsWith('.json') ? extended : `${extended}.json`, specifier, view, depth + 1);
}

function folderPath(path: string | null): string {
  return path === null || path === '' ? '' : `${path}/`;
}

/** Patterns with at most one `*`; a pattern that ends in `/` stands for everything below. The longest match is tried first. */
function byPatterns(
  base: string,
  pairs: readonly [string, string][],
  specifier: string,
  view: TreeView,
): string | null {
  const matches = pairs
    .flatMap(([pattern, target]) => {
      const rest = matchOf(pattern, specifier);
      return rest === null
        ? []
        : [
            {
              length: pattern.length,
              target: target.includes('*') ? target.replace('*', rest) : pattern.endsWith('/') ? target + rest : target,
            },
          ];
    })
    .sort((a, b) => b.length - a.length);
  for (const { target } of matches) {
    const found = sourceAt(base, target, view);
    if (found !== null) return found;
  }
  return null;
}

function matchOf(pattern: string, specifier: string): string | null {
  const star = pattern.indexOf('*');
  if (star < 0 && pattern.endsWith('/')) return specifier.startsWith(pattern) ? specifier.slice(pattern.length) : null;
  if (star < 0) return pattern === specifier ? '' : null;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  const fits = specifier.length >= head.length + tail.length && specifier.startsWith(head) && specifier.endsWith(tail);
  return fits ? specifier.slice(head.length, specifier.length - tail.length) : null;
}

/** A file that a manifest names; where it is a build's output, the source it is built from. */
function sourceAt(base: string, target: string, view: TreeView): string | null {
  const path = joinPath(base, target);
  const found = fileAt(path, view);
  if (found !== null || path === null) return found;
  let inner = path.slice(base.length).replace(/\.d\.[mc]?ts$/, '.js');
  while (BUILD_FOLDERS.test(inner)) {
    inner = inner.replace(BUILD_FOLDERS, '');
    const source = fileAt(`${base}src/${inner}`, view) ?? fileAt(base + inner, view);
    if (source !== null) return source;
  }
  return null;
}

function byOwnImports(folder: string, specifier: string, view: TreeView): string | null {
  for (const above of foldersUp(folder)) {
    const config = view.config(`${above}package.json`);
    if (config?.kind === 'package') return byPatterns(above, config.imports, specifier, view);
  }
  return null;
}

/** A package of this tree, by its name or by its own name from inside. */
function byWorkspace(specifier: string, view: TreeView): string | null {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const folder = view.workspace('package').get(name);
  if (folder === undefined) return null;
  const config = view.config(`${folder}package.json`);
  if (config?.kind !== 'package') return null;
  const inner = specifier.slice(name.length + 1);
  return inner === '' ? entryOf(folder, config, view) : innerOf(folder, config, inner, view);
}

function entryOf(folder: string, config: Extract<ConfigFacts, { kind: 'package' }>, view: TreeView): string | null {
  const found = byPatterns(folder, config.exports, '.', view);
  if (found !== null) return found;
  for (const entry of [...config.entries, './src/index', './index', './mod', './lib/index']) {
    const file = sourceAt(folder, entry, view);
    if (file !== null) return file;
  }
  return null;
}

function innerOf(
  folder: string,
  config: Extract<ConfigFacts, { kind: 'package' }>,
  inner: string,
  view: TreeView,
): string | null {
  return (
    byPatterns(folder, config.exports, `./${inner}`, view) ??
    fileAt(joinPath(folder, inner), view) ??
    fileAt(joinPath(folder, `src/${inner}`), view)
  );
}

/** `@/x` and `~/x` usually mean `src/x`, set up in a bundler's program that nobody can read without running it. */
function byHabit(folder: string, specifier: string, view: TreeView): string | null {
  const inner = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  if (inner === undefined) return null;
  for (const above of foldersUp(folder)) {
    const found = fileAt(joinPath(above, `src/${inner}`), view);
    if (found !== null) return found;
  }
  return null;
}
