import type { PieceImport } from '../pieces/piece-facts.js';
import { folderOf, foldersUp } from './tree-paths.js';
import type { TreeView } from './tree-view.js';

/** Where projects keep importable code besides their top. */
const ROOTS = ['', 'src/', 'lib/', 'python/'];

/** Files that a Python import leads to: the module, and those of its names that are modules themselves. */
export function resolvePython(importer: string, statement: PieceImport, view: TreeView): string[] {
  const dots = /^\.*/.exec(statement.specifier)?.[0].length ?? 0;
  const parts = statement.specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  if (dots > 0) {
    const base = foldersUp(folderOf(importer))[dots - 1];
    return base === undefined ? [] : fromRoot(base, parts, statement.names, view);
  }
  if (parts.length === 0) return [];
  for (const root of rootsOf(importer, view)) {
    // Most imports lead outside; one question for each root tells.
    if (!view.hasPythonName(root + parts[0])) continue;
    const found = fromRoot(root, parts, statement.names, view);
    if (found.length > 0) return found;
  }
  return [];
}

/** Folders from which absolute imports start: those above the importer that are no packages, and their source folders. */
function rootsOf(importer: string, view: TreeView): string[] {
  const roots: string[] = [];
  for (const folder of foldersUp(folderOf(importer))) {
    if (view.has(`${folder}__init__.py`)) continue;
    for (const root of ROOTS) roots.push(folder + root);
  }
  return roots;
}

function fromRoot(root: string, parts: readonly string[], names: readonly string[], view: TreeView): string[] {
  const found = new Set<string>();
  const folder = root + parts.map((part) => `${part}/`).join('');
  const own =
    parts.length === 0 ? existing([`${root}__init__.py`, `${root}__init__.pyi`], view) : moduleAt(root, parts, view);
  if (own !== null) found.add(own);
  for (const name of names) {
    const inner = name === '*' ? null : moduleAt(folder, [name], view);
    if (inner !== null) found.add(inner);
  }
  if (found.size > 0 || parts.length < 2 || names.length > 0) return [...found];
  // `import a.b.c` may end in a name of the module a.b.
  const outer = moduleAt(root, parts.slice(0, -1), view);
  return outer === null ? [] : [outer];
}

function moduleAt(root: string, parts: readonly string[], view: TreeView): string | null {
  const path = root + parts.join('/');
  return existing([`${path}.py`, `${path}/__init__.py`, `${path}.pyi`, `${path}/__init__.pyi`], view);
}

function existing(candidates: readonly string[], view: TreeView): string | null {
  return candidates.find((path) => view.has(path)) ?? null;
}
