import type { NodeId, SyntaxTree } from './syntax-tree.js';

/**
 * What an identifier does where it stands.
 * - `bound` it is given its meaning here (definition, parameter, variable, alias) · `name` it is looked up
 * - `attribute` it is asked of a value · `keyword` it names an argument or a field of a type · `key` it names an entry of an
 *   object that may be data or options · `import` it is taken from a module · `none` no name of the program
 */
export type NameRole = 'bound' | 'name' | 'attribute' | 'keyword' | 'key' | 'import' | 'none';

type RoleOf = (tree: SyntaxTree, node: NodeId, parent: NodeId) => NameRole;

/** The role of an identifier node of any of the languages' identifier types. */
export function nameRole(tree: SyntaxTree, node: NodeId): NameRole {
  const parent = tree.parentOf(node);
  if (parent === null) return 'none';
  switch (tree.language) {
    case 'python':
      return pythonRole(tree, node, parent);
    case 'rust':
      return rustRole(tree, node, parent);
    case 'go':
      return goRole(tree, node, parent);
    default:
      return scriptRole(tree, node, parent);
  }
}

/** Node types of identifiers in any of the grammars. */
export const IDENTIFIER_TYPES: ReadonlySet<string> = new Set([
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
  'field_identifier',
  'shorthand_field_identifier',
  'package_identifier',
]);

/** Patterns through which a name is bound from further up. */
const PATTERNS = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'list_splat_pattern',
  'dictionary_splat_pattern',
  'array_pattern',
  'object_pattern',
  'rest_pattern',
  'assignment_pattern',
  'object_assignment_pattern',
  'pair_pattern',
  'slice_pattern',
  'ref_pattern',
  'mut_pattern',
  'reference_pattern',
  'or_pattern',
  'captured_pattern',
  'tuple_struct_pattern',
  'field_pattern',
  'expression_list',
  'as_pattern_target',
]);

/** The node below which a name is a target, and the field it has there: `a` of `[a, b] = …` is in `left`. */
function bindingPlace(tree: SyntaxTree, node: NodeId): { holder: string; field: string | null } {
  let at = node;
  for (let hops = 0; hops < 16; hops += 1) {
    const parent = tree.parentOf(at);
    if (parent === null) break;
    if (!PATTERNS.has(tree.typeOf(parent))) return { holder: tree.typeOf(parent), field: tree.fieldOf(at) };
    // A default value or a pattern's type is looked up, not bound.
    if (['right', 'value', 'type'].includes(tree.fieldOf(at) ?? '') && tree.typeOf(parent) !== 'pair_pattern') break;
    at = parent;
  }
  return { holder: '', field: null };
}

const pythonRole: RoleOf = (tree, node, parent) => {
  const parentType = tree.typeOf(parent);
  const field = tree.fieldOf(node);
  if (parentType === 'attribute') return field === 'attribute' ? 'attribute' : 'name';
  if (parentType === 'keyword_argument' && field === 'name') return 'keyword';
  if (parentType === 'dotted_name' || parentType === 'aliased_import') return pythonImportRole(tree, node, parent);
  if (['function_definition', 'class_definition'].includes(parentType) && field === 'name') return 'bound';
  if (
    ['parameters', 'lambda_parameters', 'typed_parameter', 'global_statement', 'nonlocal_statement'].includes(
      parentType,
    )
  )
    return 'bound';
  if (['default_parameter', 'typed_default_parameter', 'named_expression'].includes(parentType) && field === 'name')
    return 'bound';
  const { holder, field: place } = bindingPlace(tree, node);
  if (['assignment', 'augmented_assignment', 'for_statement', 'for_in_clause'].includes(holder) && place === 'left')
    return 'bound';
  if (['parameters', 'lambda_parameters', 'typed_parameter'].includes(holder)) return 'bound';
  // `with a as b`, `except E as b`.
  return holder === 'as_pattern' && place === 'alias' ? 'bound' : 'name';
};

function pythonImportRole(tree: SyntaxTree, node: NodeId, parent: NodeId): NameRole {
  if (tree.typeOf(parent) === 'aliased_import') return 'bound';
  const statement = tree.ancestorOfType(
    node,
    ['import_from_statement', 'import_statement', 'future_import_statement'],
    4,
  );
  if (statement === null) return 'name';
  if (tree.typeOf(statement) !== 'import_from_statement') return 'none';
  const top = tree.parentOf(parent) === statement ? parent : (tree.parentOf(parent) ?? parent);
  return tree.fieldOf(top) === 'name' ? 'import' : 'none';
}

const SCRIPT_DECLARATIONS = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'function_expression',
  'class_declaration',
  'abstract_class_declaration',
  'class',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'internal_module',
  'variable_declarator',
]);

const scriptRole: RoleOf = (tree, node, parent) => {
  const type = tree.typeOf(node);
  const parentType = tree.typeOf(parent);
  const field = tree.fieldOf(node);
  if (type === 'shorthand_property_identifier') return 'key';
  if (type === 'shorthand_property_identifier_pattern') return 'bound';
  if (type === 'property_identifier' || type === 'private_property_identifier') return propertyRole(parentType);
  if (parentType === 'import_specifier') return field === 'name' ? 'import' : 'bound';
  if (['import_clause', 'namespace_import', 'import_require_clause', 'type_parameter'].includes(parentType))
    return 'bound';
  if (parentType.startsWith('jsx_') && /^[a-z]/.test(tree.textOf(node))) return 'none';
  if (SCRIPT_DECLARATIONS.has(parentType) && field === 'name') return 'bound';
  const { holder, field: place } = bindingPlace(tree, node);
  if (holder === 'variable_declarator' && place === 'name') return 'bound';
  if (['required_parameter', 'optional_parameter'].includes(holder) && place === 'pattern') return 'bound';
  if (holder === 'formal_parameters' || (holder === 'arrow_function' && place === 'parameter')) return 'bound';
  if (holder === 'catch_clause' && place === 'parameter') return 'bound';
  return holder === 'for_in_statement' && place === 'left' ? 'bound' : 'name';
};

function propertyRole(parentType: string): NameRole {
  switch (parentType) {
    case 'member_expression':
    case 'pair_pattern':
    case 'nested_type_identifier':
      return 'attribute';
    case 'pair':
      return 'key';
    case 'jsx_attribute':
      return 'keyword';
    default:
      // Members of classes, interfaces and object literals with a body.
      return 'bound';
  }
}

const rustRole: RoleOf = (tree, node, parent) => {
  const type = tree.typeOf(node);
  const parentType = tree.typeOf(parent);
  const field = tree.fieldOf(node);
  if (type === 'field_identifier')
    return (
      ({ field_expression: 'attribute', field_declaration: 'bound' }[parentType] as NameRole | undefined) ?? 'keyword'
    );
  if (type === 'shorthand_field_identifier') return 'keyword';
  if (tree.ancestorOfType(node, ['use_declaration'], 12) !== null) return field === 'alias' ? 'bound' : 'import';
  if (
    field === 'name' &&
    (parentType.endsWith('_item') || parentType === 'macro_definition' || parentType === 'enum_variant')
  )
    return 'bound';
  if (parentType === 'token_tree') return tree.text[tree.textStartOf(node) - 1] === '.' ? 'attribute' : 'name';
  if (parentType === 'closure_parameters' || parentType === 'type_parameter' || parentType === 'const_parameter')
    return 'bound';
  const { holder, field: place } = bindingPlace(tree, node);
  if (place !== 'pattern' && place !== 'name') return 'name';
  if (field === 'type') return 'name';
  return ['let_declaration', 'parameter', 'for_expression', 'match_pattern', 'let_condition', 'match_arm'].includes(
    holder,
  ) && /^[a-z_]/.test(tree.textOf(node))
    ? 'bound'
    : 'name';
};

const goRole: RoleOf = (tree, node, parent) => {
  const type = tree.typeOf(node);
  const parentType = tree.typeOf(parent);
  const field = tree.fieldOf(node);
  if (type === 'package_identifier')
    return parentType === 'package_clause' || parentType === 'import_spec' ? 'bound' : 'name';
  if (type === 'field_identifier') return parentType === 'selector_expression' ? 'attribute' : 'bound';
  if (parentType === 'literal_element') {
    const element = tree.parentOf(parent);
    return element !== null && tree.typeOf(element) === 'keyed_element' && tree.fieldOf(parent) === 'key'
      ? 'keyword'
      : 'name';
  }
  if (field === 'name' && /_(?:declaration|spec)$|^type_(?:spec|alias)$/.test(parentType)) return 'bound';
  const { holder, field: place } = bindingPlace(tree, node);
  return (holder === 'short_var_declaration' || holder === 'range_clause') && place === 'left' ? 'bound' : 'name';
};
