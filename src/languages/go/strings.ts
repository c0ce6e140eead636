import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { unescapeText } from '../unescape.js';

export const goStrings: LanguageRules['strings'] = {
  interpreted_string_literal: (tree, node) => ({ value: unescapeText(tree.textOf(node).slice(1, -1)) }),
  raw_string_literal: (tree, node) => ({ value: tree.textOf(node).slice(1, -1) }),
};

export const goErrors: LanguageRules['errors'] = {
  call_expression: (tree, node) => {
    const called = tree.childByField(node, 'function');
    return (
      called !== null &&
      /^(?:panic|errors\.\w+|fmt\.Errorf|log\.(?:Fatal|Panic)\w*|http\.Error|\w+\.Error)$/.test(
        tree.textOf(called).slice(0, 100),
      )
    );
  },
};

/** The last name of what is called: `Route` of `r.Route(…)`; the type of a composite literal is constructed. */
export function calledName(tree: SyntaxTree, node: NodeId): string | null {
  let called = tree.childByField(node, tree.typeOf(node) === 'composite_literal' ? 'type' : 'function');
  for (let hops = 0; called !== null && hops < 4; hops += 1) {
    const type = tree.typeOf(called);
    if (type === 'identifier' || type === 'field_identifier' || type === 'type_identifier') return tree.textOf(called);
    called = tree.childByField(
      called,
      type === 'selector_expression'
        ? 'field'
        : type === 'qualified_type'
          ? 'name'
          : type === 'generic_type'
            ? 'type'
            : 'function',
    );
  }
  return null;
}
