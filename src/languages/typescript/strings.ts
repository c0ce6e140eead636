import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { unescapeText } from '../unescape.js';

export const typescriptStrings: LanguageRules['strings'] = {
  string: (tree, node) => ({ value: unescapeText(tree.textOf(node).slice(1, -1)) }),
  template_string: (tree, node) => ({ value: unescapeText(tree.textOf(node).slice(1, -1)) }),
};

export const typescriptErrors: LanguageRules['errors'] = {
  throw_statement: () => true,
  new_expression: (tree, node) => /(?:Error|Exception)$/.test(calledName(tree, node) ?? ''),
  call_expression: (tree, node) =>
    /(?:Error|Exception)$|^(?:reject|fail|invariant|warn|error)$/.test(calledName(tree, node) ?? ''),
};

/** The last name of what is called or constructed: `c` of `a.b.c()`. */
export function calledName(tree: SyntaxTree, node: NodeId): string | null {
  const called = tree.childByField(node, 'function') ?? tree.childByField(node, 'constructor');
  if (called === null) return null;
  const type = tree.typeOf(called);
  if (type === 'identifier') return tree.textOf(called);
  const property = type === 'member_expression' ? tree.childByField(called, 'property') : null;
  return property === null ? null : tree.textOf(property);
}
