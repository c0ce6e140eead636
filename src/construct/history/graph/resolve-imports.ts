import { type LanguageName, languageOf } from '#languages/index.js';
import type { PieceImport } from '../pieces/piece-facts.js';
import { packageOfTest, resolveGo } from './resolve-go.js';
import { resolvePython } from './resolve-python.js';
import { resolveRust } from './resolve-rust.js';
import { resolveScript } from './resolve-script.js';
import type { TreeView } from './tree-view.js';

type Resolve = (importer: string, statement: PieceImport, view: TreeView) => string[];

const RESOLVERS: Record<LanguageName, Resolve> = {
  python: resolvePython,
  typescript: resolveScript,
  javascript: resolveScript,
  tsx: resolveScript,
  rust: resolveRust,
  go: resolveGo,
};

/** Where one import of a file leads within the tree. */
export function resolveImport(importer: string, statement: PieceImport, view: TreeView): string[] {
  const language = languageOf(importer);
  return language === null ? [] : RESOLVERS[language.name](importer, statement, view);
}

/** Everything that a file's imports lead to, sorted, without the file itself. */
export function resolveImports(importer: string, imports: readonly PieceImport[], view: TreeView): string[] {
  const language = languageOf(importer);
  if (language === null) return [];
  const targets = new Set(language.name === 'go' ? packageOfTest(importer, view) : []);
  for (const statement of imports)
    for (const target of RESOLVERS[language.name](importer, statement, view)) targets.add(target);
  targets.delete(importer);
  return [...targets].sort();
}
