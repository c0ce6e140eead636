import type { PieceImport } from '../pieces/piece-facts.js';
import { folderOf } from './tree-paths.js';
import type { TreeView } from './tree-view.js';

/**
 * The package folder that a Go import leads to. Build constraints decide which of a package's files take part, not
 * whether the package is there, so they play no part here.
 */
export function resolveGo(importer: string, statement: PieceImport, view: TreeView): string[] {
  const { specifier } = statement;
  let best: { module: string; folder: string } | null = null;
  for (const [module, folder] of view.goModules()) {
    const fits = specifier === module || specifier.startsWith(`${module}/`);
    if (fits && module.length > (best?.module.length ?? -1)) best = { module, folder };
  }
  if (best === null) return [];
  const inner = specifier.slice(best.module.length + 1);
  const folder = best.folder + (inner === '' ? '' : `${inner}/`);
  return mayImport(importer, folder) && view.hasGoPackage(folder) ? [packageNode(folder)] : [];
}

/** The package that a Go test belongs to. */
export function packageOfTest(importer: string, view: TreeView): string[] {
  if (!importer.endsWith('_test.go')) return [];
  const folder = folderOf(importer);
  return view.hasGoPackage(folder) ? [packageNode(folder)] : [];
}

/** Packages below `internal` are for their neighbours alone. */
function mayImport(importer: string, folder: string): boolean {
  const at = folder.lastIndexOf('internal/');
  if (at < 0 || (at > 0 && folder[at - 1] !== '/')) return true;
  return importer.startsWith(folder.slice(0, at));
}

/** A package's node: its folder with a final slash, `./` at the tree's top. */
function packageNode(folder: string): string {
  return folder === '' ? './' : folder;
}
