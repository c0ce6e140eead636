import type { AssignedAttribute } from '../contract.js';
import type { DefinitionDraft, LanguageRules, Surroundings } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

const LITERALS = new Set(['integer', 'float', 'true', 'false', 'none', 'string', 'concatenated_string']);

export const pythonDefinitions: LanguageRules['definitions'] = {
  function_definition: (tree, node, around) => {
    const name = nameOf(tree, node);
    if (name === null) return [];
    return [
      {
        kind: isClass(around) ? 'method' : 'function',
        name,
        exported: isPublic(name),
        node,
        rangeNode: decorated(tree, node),
        body: tree.childByField(node, 'body'),
      },
    ];
  },
  class_definition: (tree, node) => {
    const name = nameOf(tree, node);
    if (name === null) return [];
    return [
      {
        kind: 'class',
        name,
        exported: isPublic(name),
        node,
        rangeNode: decorated(tree, node),
        body: tree.childByField(node, 'body'),
      },
    ];
  },
  type_alias_statement: (tree, node) => {
    const left = tree.childByField(node, 'left');
    if (left === null) return [];
    const name = tree.textOf(left).replace(/\[.*$/s, '');
    return [{ kind: 'type', name, exported: isPublic(name), node, body: null }];
  },
  assignment: assignmentDefinitions,
};

/** Assignments of modules and class bodies; variables of functions are nobody else's business. */
function assignmentDefinitions(tree: SyntaxTree, node: NodeId, around: Surroundings): DefinitionDraft[] {
  const statement = tree.parentOf(node);
  if (around.inFunction || statement === null || tree.typeOf(statement) !== 'expression_statement') return [];
  const left = tree.childByField(node, 'left');
  if (left === null || tree.typeOf(left) !== 'identifier') return [];
  const name = tree.textOf(left);
  const right = tree.childByField(node, 'right');
  const value = right !== null && isLiteral(tree, right) ? tree.textOf(right) : null;
  const kind = isClass(around) ? 'field' : /^_*[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
  return [{ kind, name, exported: isPublic(name), node, rangeNode: statement, body: null, value }];
}

/** `self.x = …` and `self.x: T` in a method of a class. */
export const pythonAttributes: LanguageRules['attributes'] = {
  assignment: (tree, node, around) => selfAttribute(tree, tree.childByField(node, 'left'), around),
};

function selfAttribute(tree: SyntaxTree, left: NodeId | null, around: Surroundings): AssignedAttribute | null {
  if (around.kind !== 'method' || left === null || tree.typeOf(left) !== 'attribute') return null;
  const object = tree.childByField(left, 'object');
  const attribute = tree.childByField(left, 'attribute');
  if (object === null || attribute === null || tree.textOf(object) !== 'self') return null;
  return { owner: around.qualifiedName.split('.').slice(0, -1).join('.'), name: tree.textOf(attribute) };
}

function nameOf(tree: SyntaxTree, node: NodeId): string | null {
  const name = tree.childByField(node, 'name');
  return name === null ? null : tree.textOf(name);
}

function decorated(tree: SyntaxTree, node: NodeId): NodeId {
  const parent = tree.parentOf(node);
  return parent !== null && tree.typeOf(parent) === 'decorated_definition' ? parent : node;
}

function isClass(around: Surroundings): boolean {
  return around.kind === 'class';
}

/** A leading underscore hides a name; `__init__` and its like are the language's own protocol. */
function isPublic(name: string): boolean {
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}

function isLiteral(tree: SyntaxTree, node: NodeId): boolean {
  const type = tree.typeOf(node);
  if (LITERALS.has(type)) return true;
  const inner = tree.firstChildOf(node);
  return type === 'unary_operator' && inner !== null && /^[-+]?\d[\d_.eE]*$/.test(tree.textOf(node));
}
