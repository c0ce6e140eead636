import type { ImportStatement } from '../contract.js';
import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

export const rustImports: LanguageRules['imports'] = {
  use_declaration: (tree, node) => {
    const argument = tree.childByField(node, 'argument');
    if (argument === null) return [];
    const bySpecifier = new Map<string, { names: string[]; localNames: string[] }>();
    for (const { path, local } of usedPaths(tree, argument)) {
      const cut = path.lastIndexOf('::');
      const specifier = cut < 0 ? path : path.slice(0, cut);
      const held = bySpecifier.get(specifier) ?? { names: [], localNames: [] };
      bySpecifier.set(specifier, held);
      const name = cut < 0 ? null : path.slice(cut + 2);
      if (name !== null) held.names.push(name);
      if (name !== '*') held.localNames.push(local ?? name ?? path);
    }
    const reExport = tree.childOfType(node, 'visibility_modifier') !== null;
    return [...bySpecifier].map(([specifier, taken]) => ({ ...placed(tree, node), specifier, ...taken, reExport }));
  },
  extern_crate_declaration: (tree, node) => {
    const name = tree.childByField(node, 'name');
    if (name === null) return [];
    const alias = tree.childByField(node, 'alias');
    return [
      {
        ...placed(tree, node),
        specifier: tree.textOf(name),
        names: [],
        localNames: [tree.textOf(alias ?? name)],
        reExport: false,
      },
    ];
  },
};

function placed(tree: SyntaxTree, node: NodeId): Pick<ImportStatement, 'start' | 'end' | 'typeOnly'> {
  return { start: tree.startOf(node), end: tree.endOf(node), typeOnly: false };
}

interface UsedPath {
  path: string;
  local: string | null;
}

/** Every path of a use tree with its prefix: `a::{b, c::d as e}` is `a::b` and `a::c::d` called `e`. */
function usedPaths(tree: SyntaxTree, argument: NodeId): UsedPath[] {
  const paths: UsedPath[] = [];
  const open: { node: NodeId; prefix: string }[] = [{ node: argument, prefix: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, prefix } = next;
    const type = tree.typeOf(node);
    if (type === 'scoped_use_list') {
      const path = tree.childByField(node, 'path');
      const list = tree.childByField(node, 'list');
      if (list !== null)
        open.push({ node: list, prefix: path === null ? prefix : `${prefix}${compact(tree, path)}::` });
    } else if (type === 'use_list') {
      const children = [...tree.childrenOf(node)].filter(
        (child) => tree.isNamed(child) && !tree.typeOf(child).endsWith('comment'),
      );
      open.push(...children.reverse().map((child) => ({ node: child, prefix })));
    } else if (tree.isNamed(node)) paths.push(leafPath(tree, node, prefix));
  }
  return paths;
}

function leafPath(tree: SyntaxTree, node: NodeId, prefix: string): UsedPath {
  // `a::{self}` is `a` itself.
  if (tree.typeOf(node) === 'self' && prefix !== '') return { path: prefix.replace(/::$/, ''), local: null };
  if (tree.typeOf(node) !== 'use_as_clause') return { path: prefix + compact(tree, node), local: null };
  const alias = tree.childByField(node, 'alias');
  const path = tree.childByField(node, 'path');
  return { path: prefix + compact(tree, path ?? node), local: alias === null ? null : tree.textOf(alias) };
}

function compact(tree: SyntaxTree, node: NodeId): string {
  return tree.textOf(node).replace(/\s+/g, '');
}
