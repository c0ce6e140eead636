import type { DefinitionKind } from '../contract.js';
import type { DefinitionDraft, LanguageRules, Surroundings } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { commonJsDefinitions } from './common-js.js';
import { isFunctionNode, isLiteralNode, memberName, withExport } from './nodes.js';

type Rule = LanguageRules['definitions'][string];

export const typescriptDefinitions: LanguageRules['definitions'] = {
  function_declaration: named('function'),
  generator_function_declaration: named('function'),
  function_signature: named('function'),
  class_declaration: named('class'),
  abstract_class_declaration: named('class'),
  // `export default class {}` and `export default function () {}`: anonymous, so called what importers take them by.
  class: anonymousDefault('class'),
  function_expression: anonymousDefault('function'),
  generator_function: anonymousDefault('function'),
  arrow_function: anonymousDefault('function'),
  interface_declaration: named('interface'),
  enum_declaration: named('enum'),
  type_alias_declaration: (tree, node) => namedDrafts(tree, node, 'type', null),
  internal_module: named('module'),
  module: named('module'),
  method_definition: member('method'),
  method_signature: (tree, node, around) => (isOwnMember(tree, node) ? member('method')(tree, node, around) : []),
  abstract_method_signature: member('method'),
  public_field_definition: member('field'),
  field_definition: member('field'),
  property_signature: (tree, node, around) => (isOwnMember(tree, node) ? member('field')(tree, node, around) : []),
  enum_assignment: (tree, node) =>
    enumMember(tree, node, tree.childByField(node, 'name'), tree.childByField(node, 'value')),
  property_identifier: (tree, node) => {
    const parent = tree.parentOf(node);
    return parent !== null && tree.typeOf(parent) === 'enum_body' ? enumMember(tree, node, node, null) : [];
  },
  variable_declarator: declarator,
  pair: pairDefinition,
  assignment_expression: commonJsDefinitions,
};

function named(kind: DefinitionKind): Rule {
  return (tree, node) =>
    namedDrafts(
      tree,
      node,
      kind,
      tree.childByField(node, 'body') ??
        tree.childOfType(node, 'statement_block', 'class_body', 'interface_body', 'enum_body'),
    );
}

function namedDrafts(tree: SyntaxTree, node: NodeId, kind: DefinitionKind, body: NodeId | null): DefinitionDraft[] {
  const nameNode = tree.childByField(node, 'name');
  const { rangeNode, exported, isDefault } = withExport(tree, node);
  const name =
    nameNode === null ? (isDefault ? 'default' : null) : tree.textOf(nameNode).replace(/^(["'])(.*)\1$/, '$2');
  return name === null ? [] : [{ kind, name, exported, node, rangeNode, body }];
}

function anonymousDefault(kind: DefinitionKind): Rule {
  return (tree, node) => {
    const parent = tree.parentOf(node);
    if (parent === null || tree.typeOf(parent) !== 'export_statement') return [];
    return [{ kind, name: 'default', exported: true, node, rangeNode: parent, body: tree.childByField(node, 'body') }];
  };
}

function member(kind: DefinitionKind): Rule {
  return (tree, node, around) => {
    if (around.inFunction && around.kind !== 'class') return [];
    const parent = tree.parentOf(node);
    // Methods of object literals count where the object is a module's own value, not an argument passed somewhere.
    if (parent !== null && tree.typeOf(parent) === 'object' && !isModuleObject(tree, parent)) return [];
    const nameNode = tree.childByField(node, 'name') ?? tree.childByField(node, 'property');
    if (nameNode === null) return [];
    const value = tree.childByField(node, 'value');
    const isFunction = value !== null && isFunctionNode(tree, value);
    const accessibility = tree.childOfType(node, 'accessibility_modifier');
    const name = memberName(tree, nameNode);
    return [
      {
        kind: isFunction ? 'method' : kind,
        name,
        exported: !name.startsWith('#') && (accessibility === null || tree.textOf(accessibility) === 'public'),
        node,
        body: isFunction && value !== null ? tree.childByField(value, 'body') : tree.childByField(node, 'body'),
        value: value !== null && isLiteralNode(tree, value) ? tree.textOf(value) : null,
      },
    ];
  };
}

/** A member of the interface or alias itself, not of an object type inside a condition, a parameter or another member. */
function isOwnMember(tree: SyntaxTree, node: NodeId): boolean {
  let above = tree.parentOf(node);
  for (let hops = 0; above !== null && hops < 16; hops += 1) {
    const type = tree.typeOf(above);
    if (type === 'interface_body' || type === 'class_body' || type === 'type_alias_declaration') return true;
    if (!/^(?:object_type|union_type|intersection_type|parenthesized_type|readonly_type)$/.test(type)) return false;
    above = tree.parentOf(above);
  }
  return false;
}

function enumMember(tree: SyntaxTree, node: NodeId, name: NodeId | null, value: NodeId | null): DefinitionDraft[] {
  if (name === null) return [];
  const text = value !== null && isLiteralNode(tree, value) ? tree.textOf(value) : null;
  return [{ kind: 'field', name: memberName(tree, name), exported: true, node, body: null, value: text }];
}

/** `const a = …` of a module or namespace; a single one owns its whole statement. */
function declarator(tree: SyntaxTree, node: NodeId, around: Surroundings): DefinitionDraft[] {
  const declaration = tree.parentOf(node);
  const place = declaration === null ? null : tree.parentOf(declaration);
  if (around.inFunction || declaration === null || place === null || !isModuleLevel(tree, place)) return [];
  const nameNode = tree.childByField(node, 'name');
  if (nameNode === null || tree.typeOf(nameNode) !== 'identifier') return [];
  const value = tree.childByField(node, 'value');
  const { rangeNode, exported } = withExport(tree, declaration);
  const single =
    [...tree.childrenOf(declaration)].filter((child) => tree.typeOf(child) === 'variable_declarator').length === 1;
  const name = tree.textOf(nameNode);
  const body = value === null ? null : tree.childByField(value, 'body');
  const literal = value !== null && isLiteralNode(tree, value) ? tree.textOf(value) : null;
  return [
    {
      kind: variableKind(tree, value, name, literal),
      name,
      exported,
      node: single ? declaration : node,
      rangeNode: single ? rangeNode : node,
      headNode: single ? declaration : node,
      body:
        value !== null && (isFunctionNode(tree, value) || tree.typeOf(value) === 'class')
          ? body
          : longValue(tree, value),
      value: literal,
    },
  ];
}

function variableKind(tree: SyntaxTree, value: NodeId | null, name: string, literal: string | null): DefinitionKind {
  if (value !== null && isFunctionNode(tree, value)) return 'function';
  if (value !== null && tree.typeOf(value) === 'class') return 'class';
  return literal !== null || /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
}

/** An object or a call that a variable starts with is its body; a short value is part of its head. */
function longValue(tree: SyntaxTree, value: NodeId | null): NodeId | null {
  return value !== null && !isLiteralNode(tree, value) ? value : null;
}

function pairDefinition(tree: SyntaxTree, node: NodeId, around: Surroundings): DefinitionDraft[] {
  const parent = tree.parentOf(node);
  const key = tree.childByField(node, 'key');
  const value = tree.childByField(node, 'value');
  if (around.inFunction || parent === null || key === null || value === null) return [];
  if (!isFunctionNode(tree, value) || !isModuleObject(tree, parent)) return [];
  return [
    { kind: 'method', name: memberName(tree, key), exported: true, node, body: tree.childByField(value, 'body') },
  ];
}

function isModuleLevel(tree: SyntaxTree, place: NodeId): boolean {
  const type = tree.typeOf(place);
  if (type === 'program' || type === 'export_statement' || type === 'ambient_declaration') return true;
  const above = tree.parentOf(place);
  return type === 'statement_block' && above !== null && ['internal_module', 'module'].includes(tree.typeOf(above));
}

/** The object literal that a module's variable or `module.exports` is. */
function isModuleObject(tree: SyntaxTree, object: NodeId): boolean {
  const holder = tree.parentOf(object);
  if (holder === null) return false;
  if (tree.typeOf(holder) === 'variable_declarator') return true;
  if (tree.typeOf(holder) === 'export_statement') return true;
  const left = tree.typeOf(holder) === 'assignment_expression' ? tree.childByField(holder, 'left') : null;
  return left !== null && tree.textOf(left) === 'module.exports';
}
