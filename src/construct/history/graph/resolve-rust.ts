import type { PieceImport } from '../pieces/piece-facts.js';
import { folderOf, foldersUp, joinPath } from './tree-paths.js';
import type { TreeView } from './tree-view.js';

/** A crate: its root file and the folder its modules are looked for from. */
interface Crate {
  root: string;
  base: string;
  /** Folder of its manifest. */
  home: string;
}

/** Files that a `use` or `mod` of a Rust file leads to. */
export function resolveRust(importer: string, statement: PieceImport, view: TreeView): string[] {
  const home =
    foldersUp(folderOf(importer)).find((folder) => view.config(`${folder}Cargo.toml`)?.kind === 'cargo') ?? '';
  const crate = crateOf(importer, home, view);
  const module = [...modulePath(importer, crate), ...statement.within.split('::').filter((part) => part !== '')];
  if (statement.specifier.startsWith('mod ')) return declared(importer, statement, { crate, module }, view);
  const start = statement.specifier.replace(/^::/, '').split('::');
  const leads =
    statement.names.length === 0 ? [start] : statement.names.map((name) => (name === '*' ? start : [...start, name]));
  const found = new Set<string>();
  for (const segments of leads) {
    const file = resolvePath(segments, { crate, module, importer }, view);
    if (file !== null && file !== importer) found.add(file);
  }
  return [...found];
}

interface Place {
  crate: Crate;
  module: readonly string[];
}

function crateOf(importer: string, home: string, view: TreeView): Crate {
  const inner = importer.slice(home.length);
  const own = /^(tests|examples|benches|src\/bin)\/([^/]+)(?:\/main)?\.rs$/.exec(inner);
  if (own !== null || inner === 'build.rs') return { root: importer, base: folderOf(importer), home };
  const nested = /^((?:tests|examples|benches|src\/bin)\/[^/]+\/)/.exec(inner)?.[1];
  if (nested !== undefined && view.has(`${home}${nested}main.rs`))
    return { root: `${home}${nested}main.rs`, base: home + nested, home };
  if (nested !== undefined && !nested.startsWith('src/'))
    return { root: '', base: home + folderOf(nested.slice(0, -1)), home };
  const lib = libraryOf(home, view);
  const main = `${home}src/main.rs`;
  const isMain = importer === main || (lib === null && view.has(main));
  return { root: isMain ? main : (lib ?? ''), base: lib === null || isMain ? `${home}src/` : folderOf(lib), home };
}

function libraryOf(home: string, view: TreeView): string | null {
  const config = view.config(`${home}Cargo.toml`);
  const path =
    config?.kind === 'cargo' && config.libPath !== null ? joinPath(home, config.libPath) : `${home}src/lib.rs`;
  return path !== null && view.has(path) ? path : null;
}

/** Names of the modules from the crate's root to the file. */
function modulePath(importer: string, crate: Crate): string[] {
  if (importer === crate.root || !importer.startsWith(crate.base)) return [];
  const parts = importer.slice(crate.base.length, -'.rs'.length).split('/');
  if (parts.at(-1) === 'mod') parts.pop();
  return parts;
}

function declared(importer: string, statement: PieceImport, { crate, module }: Place, view: TreeView): string[] {
  const [path] = statement.names;
  if (path !== undefined) {
    const file = joinPath(folderOf(importer), path);
    return file !== null && view.has(file) ? [file] : [];
  }
  const file = moduleFile(crate.base, [...module, statement.specifier.slice('mod '.length)], view);
  return file === null ? [] : [file];
}

function moduleFile(base: string, module: readonly string[], view: TreeView): string | null {
  const path = base + module.join('/');
  if (view.has(`${path}.rs`)) return `${path}.rs`;
  return view.has(`${path}/mod.rs`) ? `${path}/mod.rs` : null;
}

function resolvePath(segments: readonly string[], place: Place & { importer: string }, view: TreeView): string | null {
  const { crate, module } = place;
  const [first = '', ...rest] = segments;
  if (first === 'crate') return deepest(crate, rest, view);
  if (first === 'self') return deepest(crate, [...module, ...rest], view);
  if (first === 'super') {
    let up = module.slice(0, -1);
    let inner = rest;
    while (inner[0] === 'super') {
      up = up.slice(0, -1);
      inner = inner.slice(1);
    }
    return deepest(crate, [...up, ...inner], view);
  }
  const local =
    moduleFile(crate.base, [...module, first], view) === null ? null : deepest(crate, [...module, ...segments], view);
  return (
    local ??
    ofCrate(first, rest, view) ??
    (moduleFile(crate.base, [first], view) === null ? null : deepest(crate, segments, view))
  );
}

/** Another crate of the tree (or this one, from its tests), by its name with underscores. */
function ofCrate(name: string, rest: readonly string[], view: TreeView): string | null {
  const crates = view.workspace('cargo');
  const home = crates.get(name) ?? crates.get(name.replaceAll('_', '-'));
  if (home === undefined) return null;
  const root = libraryOf(home, view);
  return root === null ? null : deepest({ root, base: folderOf(root), home }, rest, view);
}

/** The file of the longest part of the path that is a module; the rest are names in it. */
function deepest(crate: Crate, path: readonly string[], view: TreeView): string | null {
  for (let length = path.length; length > 0; length -= 1) {
    const file = moduleFile(crate.base, path.slice(0, length), view);
    if (file !== null) return file;
  }
  return crate.root !== '' && view.has(crate.root) ? crate.root : null;
}
