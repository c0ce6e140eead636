import type { DefinitionDraft, LanguageRules, Surroundings } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { isFunctionNode, isLiteralNode } from './nodes.js';

/** `exports.a = …`, `module.exports = function …`, `Router.prototype.use = function …`, `app.listen = function …` at module level. */
export function commonJsDefinitions(tree: SyntaxTree, node: NodeId, around: Surroundings): DefinitionDraft[] {
  const statement = tree.parentOf(node);
  if (around.inFunction || statement === null || tree.typeOf(statement) !== 'expression_statement') return [];
  const place = tree.parentOf(statement);
  const left = tree.childByField(node, 'left');
  const right = lastValue(tree, node);
  if (place === null || tree.typeOf(place) !== 'program' || left === null || right === null) return [];
  if (tree.typeOf(left) !== 'member_expression') return [];
  const target = tree.textOf(left).replace(/\s+/g, '');
  const ranges = { node, rangeNode: statement };
  const draft =
    exportedMember(tree, target, right) ?? wholeModule(tree, target, right) ?? assignedMethod(tree, target, right);
  return draft === null ? [] : [{ ...draft, ...ranges }];
}

type Draft = Omit<DefinitionDraft, 'node' | 'rangeNode'>;

function shapeOf(tree: SyntaxTree, right: NodeId): { kind: 'function' | 'class' | null; body: NodeId | null } {
  const kind = isFunctionNode(tree, right) ? 'function' : tree.typeOf(right) === 'class' ? 'class' : null;
  return { kind, body: kind === null ? null : tree.childByField(right, 'body') };
}

function exportedMember(tree: SyntaxTree, target: string, right: NodeId): Draft | null {
  const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
  // `exports.View = View` only marks what is defined elsewhere.
  if (name === undefined || tree.typeOf(right) === 'identifier') return null;
  const value = isLiteralNode(tree, right) ? tree.textOf(right) : null;
  const { kind, body } = shapeOf(tree, right);
  return {
    kind: kind ?? (value === null ? 'variable' : 'constant'),
    name,
    exported: true,
    body: body ?? (value === null ? right : null),
    value,
  };
}

function wholeModule(tree: SyntaxTree, target: string, right: NodeId): Draft | null {
  const { kind, body } = shapeOf(tree, right);
  if (target !== 'module.exports' || kind === null) return null;
  const name = tree.childByField(right, 'name');
  return { kind, name: name === null ? 'default' : tree.textOf(name), exported: true, body };
}

function assignedMethod(tree: SyntaxTree, target: string, right: NodeId): Draft | null {
  const match = /^([\w$.]+?)(?:\.prototype)?\.([\w$]+)$/.exec(target);
  const [, owner, name] = match ?? [];
  if (owner === undefined || name === undefined || /^(?:module|exports)\b/.test(owner) || !isFunctionNode(tree, right))
    return null;
  return { kind: 'method', name, owner, exported: true, body: tree.childByField(right, 'body') };
}

/** The value at the end of `exports = module.exports = value`. */
function lastValue(tree: SyntaxTree, node: NodeId): NodeId | null {
  let right = tree.childByField(node, 'right');
  for (let hops = 0; right !== null && tree.typeOf(right) === 'assignment_expression' && hops < 8; hops += 1)
    right = tree.childByField(right, 'right');
  return right;
}

/** Names of the file that a statement exports after they were defined. */
export const typescriptExports: LanguageRules['exportedLater'] = {
  export_statement: (tree, node) => {
    if (tree.childByField(node, 'source') !== null) return [];
    const names: string[] = [];
    const clause = tree.childOfType(node, 'export_clause');
    for (const specifier of clause === null ? [] : tree.childrenOf(clause)) {
      const name = tree.typeOf(specifier) === 'export_specifier' ? tree.childByField(specifier, 'name') : null;
      if (name !== null) names.push(tree.textOf(name));
    }
    // `export default foo` and `export = foo`.
    const value = tree.childByField(node, 'value') ?? tree.childOfType(node, 'identifier');
    if (value !== null && tree.typeOf(value) === 'identifier') names.push(tree.textOf(value));
    return names;
  },
  assignment_expression: (tree, node) => {
    const left = tree.childByField(node, 'left');
    const right = lastValue(tree, node);
    if (left === null || right === null || tree.typeOf(left) !== 'member_expression') return [];
    const target = tree.textOf(left).replace(/\s+/g, '');
    if (!/^(?:module\.exports|(?:module\.)?exports\.[\w$]+)$/.test(target)) return [];
    if (tree.typeOf(right) === 'identifier') return [tree.textOf(right)];
    return target === 'module.exports' && tree.typeOf(right) === 'object' ? objectNames(tree, right) : [];
  },
};

function objectNames(tree: SyntaxTree, object: NodeId): string[] {
  const names: string[] = [];
  for (const entry of tree.childrenOf(object)) {
    if (tree.typeOf(entry) === 'shorthand_property_identifier') names.push(tree.textOf(entry));
    const value = tree.typeOf(entry) === 'pair' ? tree.childByField(entry, 'value') : null;
    if (value !== null && tree.typeOf(value) === 'identifier') names.push(tree.textOf(value));
  }
  return names;
}
