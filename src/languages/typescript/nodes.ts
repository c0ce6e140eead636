import type { NodeId, SyntaxTree } from '../syntax-tree.js';

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function', 'function']);
const LITERALS = new Set(['number', 'string', 'template_string', 'true', 'false', 'null', 'undefined', 'regex']);

export function isFunctionNode(tree: SyntaxTree, node: NodeId): boolean {
  return FUNCTIONS.has(tree.typeOf(node)) && tree.isNamed(node);
}

/** A value that stands in the source as itself, `as const` and signs included. */
export function isLiteralNode(tree: SyntaxTree, node: NodeId): boolean {
  const type = tree.typeOf(node);
  if (LITERALS.has(type)) return type !== 'template_string' || tree.childOfType(node, 'template_substitution') === null;
  const inner = tree.firstChildOf(node);
  if (inner === null) return false;
  if (type === 'as_expression' || type === 'satisfies_expression') return LITERALS.has(tree.typeOf(inner));
  return type === 'unary_expression' && /^[-+]\s*[\d.]/.test(tree.textOf(node));
}

/** The name of a member as callers write it: quotes of a quoted key are dropped. */
export function memberName(tree: SyntaxTree, node: NodeId): string {
  const text = tree.textOf(node);
  return tree.typeOf(node) === 'string' ? text.slice(1, -1) : text.length > 200 ? text.slice(0, 200) : text;
}

/** Whether a declaration stands in an export statement or `declare`, and the node whose range is then the definition's. */
export function withExport(
  tree: SyntaxTree,
  node: NodeId,
): { rangeNode: NodeId; exported: boolean; isDefault: boolean } {
  let rangeNode = node;
  let above = tree.parentOf(node);
  if (above !== null && tree.typeOf(above) === 'ambient_declaration') {
    rangeNode = above;
    above = tree.parentOf(above);
  } else if (above !== null && tree.typeOf(above) === 'expression_statement') {
    // A namespace is parsed as a statement of its own.
    rangeNode = above;
    above = tree.parentOf(above);
  }
  if (above === null || tree.typeOf(above) !== 'export_statement')
    return { rangeNode, exported: false, isDefault: false };
  return { rangeNode: above, exported: true, isDefault: tree.childOfType(above, 'default') !== null };
}
