import type { ImportStatement } from '../contract.js';
import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';

export const pythonImports: LanguageRules['imports'] = {
  import_statement: (tree, node) =>
    importedNames(tree, node).map(({ name, local }) => ({
      ...placed(tree, node),
      specifier: name,
      names: [],
      localNames: [local ?? (name.split('.')[0] as string)],
      reExport: false,
    })),
  import_from_statement: (tree, node) => {
    const module = tree.childByField(node, 'module_name');
    if (module === null) return [];
    const all = tree.childOfType(node, 'wildcard_import') !== null;
    const taken = importedNames(tree, node);
    return [
      {
        ...placed(tree, node),
        specifier: tree.textOf(module).replace(/\s+/g, ''),
        names: all ? ['*'] : taken.map(({ name }) => name),
        localNames: taken.map(({ name, local }) => local ?? name),
        // `import x as x` is the agreed mark of a name that is passed on.
        reExport: taken.some(({ name, local }) => name === local),
      },
    ];
  },
};

function importedNames(tree: SyntaxTree, node: NodeId): { name: string; local: string | null }[] {
  const names: { name: string; local: string | null }[] = [];
  for (const child of tree.childrenOf(node)) {
    if (tree.fieldOf(child) !== 'name') continue;
    if (tree.typeOf(child) === 'aliased_import') {
      const name = tree.childByField(child, 'name');
      const alias = tree.childByField(child, 'alias');
      if (name !== null) names.push({ name: tree.textOf(name), local: alias === null ? null : tree.textOf(alias) });
    } else names.push({ name: tree.textOf(child).replace(/\s+/g, ''), local: null });
  }
  return names;
}

function placed(tree: SyntaxTree, node: NodeId): Pick<ImportStatement, 'start' | 'end' | 'typeOnly'> {
  return { start: tree.startOf(node), end: tree.endOf(node), typeOnly: isTypeOnly(tree, node) };
}

/** Inside `if TYPE_CHECKING:`, which no program run enters. */
function isTypeOnly(tree: SyntaxTree, node: NodeId): boolean {
  const guard = tree.ancestorOfType(node, ['if_statement'], 4);
  const condition = guard === null ? null : tree.childByField(guard, 'condition');
  return condition !== null && /^(?:\w+\.)?TYPE_CHECKING$/.test(tree.textOf(condition));
}
