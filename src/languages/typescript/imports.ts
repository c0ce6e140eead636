import type { ImportStatement } from '../contract.js';
import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

export const typescriptImports: LanguageRules['imports'] = {
  import_statement: (tree, node) => {
    const required = tree.childOfType(node, 'import_require_clause');
    const source =
      tree.childByField(node, 'source') ?? (required === null ? null : tree.childByField(required, 'source'));
    if (source === null) return [];
    const taken: Taken = { names: [], localNames: [] };
    const clause = tree.childOfType(node, 'import_clause');
    if (clause !== null) takeClause(tree, clause, taken);
    const local = required === null ? null : tree.firstChildOf(required);
    if (local !== null) taken.localNames.push(tree.textOf(local));
    return [{ ...statement(tree, node, source, tree.childOfType(node, 'type') !== null), ...taken }];
  },
  export_statement: (tree, node) => {
    const source = tree.childByField(node, 'source');
    if (source === null) return [];
    const clause = tree.childOfType(node, 'export_clause');
    const names = clause === null ? ['*'] : specifiers(tree, clause, 'export_specifier').names;
    return [
      {
        ...statement(tree, node, source, tree.childOfType(node, 'type') !== null),
        names,
        localNames: [],
        reExport: true,
      },
    ];
  },
  call_expression: (tree, node) => {
    const called = tree.childByField(node, 'function');
    if (called === null || !['require', 'import'].includes(tree.textOf(called))) return [];
    const argumentList = tree.childByField(node, 'arguments');
    const source = argumentList === null ? null : tree.childOfType(argumentList, 'string');
    if (source === null) return [];
    return [{ ...statement(tree, node, source, false), ...boundByRequire(tree, node) }];
  },
};

interface Taken {
  names: string[];
  localNames: string[];
}

function statement(tree: SyntaxTree, node: NodeId, source: NodeId, typeOnly: boolean): ImportStatement {
  return {
    specifier: tree.textOf(source).slice(1, -1),
    names: [],
    localNames: [],
    start: tree.startOf(node),
    end: tree.endOf(node),
    typeOnly,
    reExport: false,
  };
}

function takeClause(tree: SyntaxTree, clause: NodeId, taken: Taken): void {
  for (const part of tree.childrenOf(clause)) {
    const type = tree.typeOf(part);
    if (type === 'identifier') {
      taken.names.push('default');
      taken.localNames.push(tree.textOf(part));
    } else if (type === 'namespace_import') {
      const local = tree.childOfType(part, 'identifier');
      taken.names.push('*');
      if (local !== null) taken.localNames.push(tree.textOf(local));
    } else if (type === 'named_imports') {
      const { names, localNames } = specifiers(tree, part, 'import_specifier');
      taken.names.push(...names);
      taken.localNames.push(...localNames);
    }
  }
}

function specifiers(tree: SyntaxTree, list: NodeId, type: string): Taken {
  const taken: Taken = { names: [], localNames: [] };
  for (const specifier of tree.childrenOf(list)) {
    const name = tree.typeOf(specifier) === type ? tree.childByField(specifier, 'name') : null;
    if (name === null) continue;
    const alias = tree.childByField(specifier, 'alias');
    taken.names.push(tree.textOf(name));
    taken.localNames.push(tree.textOf(alias ?? name));
  }
  return taken;
}

/** `const a = require('x')` and `const { a, b: c } = require('x')`. */
function boundByRequire(tree: SyntaxTree, node: NodeId): Taken {
  const parent = tree.parentOf(node);
  const holder = parent !== null && tree.typeOf(parent) === 'await_expression' ? tree.parentOf(parent) : parent;
  const bound =
    holder !== null && tree.typeOf(holder) === 'variable_declarator' ? tree.childByField(holder, 'name') : null;
  if (bound === null) return { names: [], localNames: [] };
  if (tree.typeOf(bound) === 'identifier') return { names: [], localNames: [tree.textOf(bound)] };
  const taken: Taken = { names: [], localNames: [] };
  for (const entry of tree.childrenOf(bound)) {
    const type = tree.typeOf(entry);
    const key =
      type === 'pair_pattern'
        ? tree.childByField(entry, 'key')
        : type === 'shorthand_property_identifier_pattern'
          ? entry
          : null;
    if (key === null) continue;
    const value = type === 'pair_pattern' ? tree.childByField(entry, 'value') : null;
    taken.names.push(tree.textOf(key));
    taken.localNames.push(tree.textOf(value ?? key));
  }
  return taken;
}
