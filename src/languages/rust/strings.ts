import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { unescapeText } from '../unescape.js';

export const rustStrings: LanguageRules['strings'] = {
  string_literal: (tree, node) => ({
    // A backslash at a line's end swallows the line break and the next line's indentation.
    value: unescapeText(
      tree
        .textOf(node)
        .replace(/^[bc]?"/, '')
        .replace(/"$/, '')
        .replace(/\\\r?\n\s*/g, ''),
    ),
  }),
  raw_string_literal: (tree, node) => ({ value: tree.textOf(node).replace(/^[bc]?r(#*)"([\s\S]*)"\1$/, '$2') }),
};

const ERROR_CALL =
  /^(?:Err|expect|panic|bail|anyhow|ensure|unreachable|todo|unimplemented|context|with_context|eprintln|error|print_error|print_error_and_exit)$/;

export const rustErrors: LanguageRules['errors'] = {
  macro_invocation: (tree, node) => ERROR_CALL.test(calledName(tree, node) ?? ''),
  call_expression: (tree, node) => {
    const called = tree.childByField(node, 'function');
    return (
      ERROR_CALL.test(calledName(tree, node) ?? '') ||
      (called !== null && /Error\b[^(]*$/.test(tree.textOf(called).slice(-200)))
    );
  },
  // Messages of derived error types: `#[error("…")]`.
  attribute_item: (tree, node) => /^#\[error\b/.test(tree.textOf(node)),
};

/** The last name of what is called: `walk` of `self.inner.walk::<T>()` and `crate::walk()`, `vec` of `vec![]`. */
export function calledName(tree: SyntaxTree, node: NodeId): string | null {
  let called = tree.childByField(node, tree.typeOf(node) === 'macro_invocation' ? 'macro' : 'function');
  for (let hops = 0; called !== null && hops < 4; hops += 1) {
    const type = tree.typeOf(called);
    if (type === 'identifier' || type === 'field_identifier') return tree.textOf(called);
    called = tree.childByField(
      called,
      type === 'field_expression' ? 'field' : type === 'generic_function' ? 'function' : 'name',
    );
  }
  return null;
}

/** Calls inside a macro's arguments are only tokens there: a name followed by brackets. */
export function calledInTokens(tree: SyntaxTree, node: NodeId): string | null {
  const name = tree.previousSiblingOf(node);
  const above = tree.parentOf(node);
  if (name === null || above === null || tree.typeOf(above) !== 'token_tree' || tree.typeOf(name) !== 'identifier')
    return null;
  return tree.text[tree.textStartOf(node)] === '(' ? tree.textOf(name) : null;
}
