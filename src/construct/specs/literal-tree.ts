import type { NodeId, SyntaxTree } from '#languages/index.js';

const LITERAL_TYPES = new Set([
  'string',
  'concatenated_string',
  'string_start',
  'string_content',
  'string_end',
  'string_fragment',
  'escape_sequence',
  'template_string',
  'integer',
  'float',
  'number',
  'true',
  'false',
  'none',
  'null',
  'undefined',
  'regex',
  'regex_pattern',
  'regex_flags',
  'list',
  'tuple',
  'dictionary',
  'set',
  'pair',
  'array',
  'object',
  'property_identifier',
  'unary_operator',
  'unary_expression',
  'parenthesized_expression',
]);

/** Whether an expression is made of literals alone, containers of literals included. */
export function isLiteralTree(tree: SyntaxTree, node: NodeId): boolean {
  const end = tree.subtreeEndOf(node);
  for (let at = node; at < end; at += 1) {
    if (!tree.isNamed(at)) continue;
    const type = tree.typeOf(at);
    // `undefined` is an identifier to some of the grammars.
    if (!LITERAL_TYPES.has(type) && !(type === 'identifier' && tree.textOf(at) === 'undefined')) return false;
  }
  return true;
}
