import type { DefinitionKind } from '../contract.js';
import type { DefinitionDraft, LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

type Rule = LanguageRules['definitions'][string];

const LITERALS = /_literal$/;

export const rustDefinitions: LanguageRules['definitions'] = {
  function_item: (tree, node, around) =>
    functionDraft(tree, node, around.kind === 'scope' || around.kind === 'interface'),
  function_signature_item: (tree, node, around) =>
    functionDraft(tree, node, around.kind === 'scope' || around.kind === 'interface'),
  struct_item: item('class'),
  union_item: item('class'),
  enum_item: item('enum'),
  trait_item: item('interface'),
  type_item: item('type'),
  associated_type: item('type'),
  const_item: item('constant'),
  static_item: item('constant'),
  mod_item: item('module'),
  macro_definition: (tree, node) =>
    drafts(
      tree,
      node,
      'macro',
      attributesAbove(tree, node).some((text) => text.includes('macro_export')),
    ),
  enum_variant: (tree, node) => drafts(tree, node, 'field', true),
  field_declaration: item('field'),
};

/** `impl Walker`, `impl Iterator for Walker`: methods inside are the type's. */
export const rustScopes: LanguageRules['scopes'] = {
  impl_item: (tree, node) => {
    const type = tree.childByField(node, 'type');
    return type === null ? null : baseTypeName(tree.textOf(type));
  },
};

function functionDraft(tree: SyntaxTree, node: NodeId, isMethod: boolean): DefinitionDraft[] {
  const tests = attributesAbove(tree, node).some((text) =>
    /^#\[(?:[\w:]+::)?(?:test|rstest|test_case|bench)\b/.test(text),
  );
  return drafts(tree, node, isMethod ? 'method' : 'function', isVisible(tree, node) || inTrait(tree, node)).map(
    (draft) => ({ ...draft, inTest: tests }),
  );
}

function item(kind: DefinitionKind): Rule {
  return (tree, node) => {
    const inTest = kind === 'module' && attributesAbove(tree, node).some((text) => /^#\[cfg\(.*\btest\b/.test(text));
    const inherits = kind === 'type' && inTrait(tree, node);
    return drafts(tree, node, kind, isVisible(tree, node) || inherits).map((draft) => ({ ...draft, inTest }));
  };
}

function drafts(tree: SyntaxTree, node: NodeId, kind: DefinitionKind, exported: boolean): DefinitionDraft[] {
  const name = tree.childByField(node, 'name');
  if (name === null) return [];
  const value = kind === 'constant' ? tree.childByField(node, 'value') : null;
  const literal = value !== null && LITERALS.test(tree.typeOf(value)) ? tree.textOf(value) : null;
  const body =
    tree.childByField(node, 'body') ?? tree.childOfType(node, 'macro_rule') ?? (literal === null ? value : null);
  // The fields of `struct Size(u64)` are what the type is, not a body.
  const isTuple = body !== null && tree.typeOf(body) === 'ordered_field_declaration_list';
  return [{ kind, name: tree.textOf(name), exported, node, body: isTuple ? null : body, value: literal }];
}

function isVisible(tree: SyntaxTree, node: NodeId): boolean {
  return tree.childOfType(node, 'visibility_modifier') !== null;
}

/** Members of a trait and of its implementations are visible where the trait is. */
function inTrait(tree: SyntaxTree, node: NodeId): boolean {
  const list = tree.parentOf(node);
  const holder = list === null ? null : tree.parentOf(list);
  if (holder === null) return false;
  return (
    tree.typeOf(holder) === 'trait_item' ||
    (tree.typeOf(holder) === 'impl_item' && tree.childByField(holder, 'trait') !== null)
  );
}

function attributesAbove(tree: SyntaxTree, node: NodeId): string[] {
  const texts: string[] = [];
  let above = tree.previousSiblingOf(node);
  for (let seen = 0; above !== null && seen < 64; seen += 1) {
    const type = tree.typeOf(above);
    if (type === 'attribute_item') texts.push(tree.textOf(above));
    else if (type !== 'line_comment' && type !== 'block_comment') break;
    above = tree.previousSiblingOf(above);
  }
  return texts;
}

/** `Walker` of `&'a mut walk::Walker<T>`. */
function baseTypeName(text: string): string {
  const plain = text.replace(/<.*$/s, '').replace(/^[&\s]*(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?/, '');
  return (plain.split('::').pop() ?? plain).trim();
}
