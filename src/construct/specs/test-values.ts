import { IDENTIFIER_TYPES, type NodeId, nameRole, type SyntaxTree } from '#languages/index.js';
import { isLiteralTree } from './literal-tree.js';

const boundNames = new WeakMap<SyntaxTree, ReadonlySet<string>>();

/** Names that a test file gives their meaning itself: its variables, parameters and helpers, not what it imports. */
export function boundIn(tree: SyntaxTree): ReadonlySet<string> {
  const held = boundNames.get(tree);
  if (held !== undefined) return held;
  const names = new Set<string>();
  for (let node = 0; node < tree.count; node += 1) {
    if (IDENTIFIER_TYPES.has(tree.typeOf(node)) && nameRole(tree, node) === 'bound') names.add(tree.textOf(node));
  }
  boundNames.set(tree, names);
  return names;
}

/** Whether an expression means the same outside the test: no name in it is the test's own. */
export function isSelfContained(tree: SyntaxTree, node: NodeId): boolean {
  const bound = boundIn(tree);
  const end = tree.subtreeEndOf(node);
  for (let at = node; at < end; at += 1) {
    const role = IDENTIFIER_TYPES.has(tree.typeOf(at)) ? nameRole(tree, at) : 'none';
    if (
      (role === 'name' || role === 'bound') &&
      (bound.has(tree.textOf(at)) || /^(?:self|this)$/.test(tree.textOf(at)))
    )
      return false;
    if (tree.typeOf(at) === 'this') return false;
  }
  return true;
}

/** The value that a variable was given last before a place, inside the test. */
export function lastValueOf(tree: SyntaxTree, name: string, before: NodeId, from: NodeId): NodeId | null {
  let value: NodeId | null = null;
  for (let node = from; node < before; node += 1) {
    const type = tree.typeOf(node);
    if (type !== 'assignment' && type !== 'variable_declarator' && type !== 'assignment_expression') continue;
    const target = tree.childByField(node, type === 'variable_declarator' ? 'name' : 'left');
    if (target === null || tree.textOf(target) !== name) continue;
    value = tree.childByField(node, type === 'variable_declarator' ? 'value' : 'right') ?? value;
  }
  return value;
}

/** What an expression with waiting and brackets around it is at heart. */
export function bareExpression(tree: SyntaxTree, node: NodeId): NodeId {
  let at = node;
  for (let hops = 0; hops < 8; hops += 1) {
    if (
      !['await', 'await_expression', 'parenthesized_expression', 'non_null_expression', 'as_expression'].includes(
        tree.typeOf(at),
      )
    )
      return at;
    const inner = [...tree.childrenOf(at)].find((child) => tree.isNamed(child));
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

/** The variable that an expression starts from: `result` of `result.output`, `res` of `res.headers.get('a')`. */
export function rootVariable(tree: SyntaxTree, node: NodeId): string | null {
  let at: NodeId | null = bareExpression(tree, node);
  for (let hops = 0; at !== null && hops < 12; hops += 1) {
    if (tree.typeOf(at) === 'identifier') return tree.textOf(at);
    const next: NodeId | null =
      tree.childByField(at, 'object') ?? tree.childByField(at, 'function') ?? tree.childByField(at, 'value');
    at = next === null ? null : bareExpression(tree, next);
  }
  return null;
}

const MAX_INPUT = 100;

/** Literal arguments of the call that made a value, through one more variable: what the test put in. */
export function inputOf(tree: SyntaxTree, value: NodeId, from: NodeId): string | null {
  let call = bareExpression(tree, value);
  for (let hops = 0; hops < 3; hops += 1) {
    const list = tree.childByField(call, 'arguments');
    if (list === null) return null;
    const given = [...tree.childrenOf(list)].filter((child) => tree.isNamed(child));
    const literals = given.filter(
      (child) =>
        isLiteralTree(tree, child) || (tree.typeOf(child) === 'keyword_argument' && isLiteralKeyword(tree, child)),
    );
    const text = literals.map((child) => tree.textOf(child).replace(/\s+/g, ' ')).join(', ');
    if (literals.length > 0) return text.length <= MAX_INPUT ? text : null;
    const variable = given.find((child) => tree.typeOf(child) === 'identifier');
    const next = variable === undefined ? null : lastValueOf(tree, tree.textOf(variable), call, from);
    if (next === null) return null;
    call = bareExpression(tree, next);
  }
  return null;
}

function isLiteralKeyword(tree: SyntaxTree, node: NodeId): boolean {
  const value = tree.childByField(node, 'value');
  return value !== null && isLiteralTree(tree, value);
}
