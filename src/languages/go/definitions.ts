import type { DefinitionKind } from '../contract.js';
import type { DefinitionDraft, LanguageRules, Surroundings } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

type Rule = LanguageRules['definitions'][string];

const LITERALS = new Set([
  'int_literal',
  'float_literal',
  'imaginary_literal',
  'rune_literal',
  'interpreted_string_literal',
  'raw_string_literal',
  'true',
  'false',
  'nil',
  'iota',
]);

export const goDefinitions: LanguageRules['definitions'] = {
  function_declaration: (tree, node) => one(tree, node, 'function', tree.childByField(node, 'body')),
  method_declaration: (tree, node) => {
    const receiver = tree.childByField(node, 'receiver');
    const owner = receiver === null ? null : receiverType(tree.textOf(receiver));
    return one(tree, node, 'method', tree.childByField(node, 'body')).map((draft) =>
      owner === null ? draft : { ...draft, owner },
    );
  },
  type_spec: typeSpec,
  type_alias: typeSpec,
  method_elem: (tree, node) => one(tree, node, 'method', null),
  field_declaration: (tree, node, around) => (around.inFunction ? [] : each(tree, node, 'field')),
  const_spec: (tree, node, around) => variables(tree, node, around, 'constant'),
  var_spec: (tree, node, around) => variables(tree, node, around, 'variable'),
};

function typeSpec(...[tree, node, around]: Parameters<Rule>): DefinitionDraft[] {
  if (around.inFunction) return [];
  const type = tree.childByField(node, 'type');
  const shape = type === null ? '' : tree.typeOf(type);
  const kind = shape === 'struct_type' ? 'class' : shape === 'interface_type' ? 'interface' : 'type';
  const inner = type === null || kind === 'type' ? null : tree.childOfType(type, 'field_declaration_list', '{');
  return one(tree, node, kind, inner).map((draft) => ({
    ...draft,
    rangeNode: wholeDeclaration(tree, node, 'type_declaration'),
    headNode: draft.node,
  }));
}

function variables(tree: SyntaxTree, node: NodeId, around: Surroundings, kind: DefinitionKind): DefinitionDraft[] {
  if (around.inFunction) return [];
  const names = namesOf(tree, node);
  const values = tree.childByField(node, 'value');
  const single = names.length === 1 && values !== null ? tree.firstChildOf(values) : null;
  const value =
    single !== null && tree.nextSiblingOf(single) === null && LITERALS.has(tree.typeOf(single))
      ? tree.textOf(single)
      : null;
  if (names.length !== 1) return each(tree, node, kind);
  const rangeNode = wholeDeclaration(tree, node, kind === 'constant' ? 'const_declaration' : 'var_declaration');
  return names.map((name) => ({
    kind,
    name,
    exported: isExported(name),
    node,
    rangeNode,
    body: value === null ? values : null,
    value,
  }));
}

/** Several names in one specification share its text, so each has only its own name as range. */
function each(tree: SyntaxTree, node: NodeId, kind: DefinitionKind): DefinitionDraft[] {
  const nodes = [...tree.childrenOf(node)].filter((child) => tree.fieldOf(child) === 'name' && tree.isNamed(child));
  if (nodes.length === 1) return one(tree, node, kind, null);
  return nodes.map((name) => ({
    kind,
    name: tree.textOf(name),
    exported: isExported(tree.textOf(name)),
    node: name,
    headNode: node,
    body: null,
  }));
}

function one(tree: SyntaxTree, node: NodeId, kind: DefinitionKind, body: NodeId | null): DefinitionDraft[] {
  const nameNode = tree.childByField(node, 'name');
  if (nameNode === null) return [];
  const name = tree.textOf(nameNode);
  return [{ kind, name, exported: isExported(name), node, body }];
}

function namesOf(tree: SyntaxTree, node: NodeId): string[] {
  const names: string[] = [];
  for (const child of tree.childrenOf(node))
    if (tree.fieldOf(child) === 'name' && tree.isNamed(child)) names.push(tree.textOf(child));
  return names;
}

/** The whole `type X …` statement where it holds this one specification, so that its comment belongs to it. */
function wholeDeclaration(tree: SyntaxTree, node: NodeId, type: string): NodeId {
  const parent = tree.parentOf(node);
  if (parent === null || tree.typeOf(parent) !== type) return node;
  return tree.text[tree.textEndOf(parent) - 1] === ')' && tree.childOfType(parent, '(') !== null ? node : parent;
}

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** `Mux` of `(mx *Mux[T])`. */
function receiverType(text: string): string | null {
  return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(text)?.[1] ?? null;
}
