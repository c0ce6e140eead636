import type { NodeId, SyntaxTree } from '#languages/index.js';
import { namesHidden, namesPath } from './clean-prose.js';
import { codeSpan } from './code-span.js';
import type { TestGroup } from './group-tests.js';

const MAX_CASES = 3;
const MAX_TEXT = 160;

/** Some cases of a parametrised test, in words: "`value` `"6"`, `expect` `6`". First, middle and last of the table. */
export function testCases({ written }: TestGroup): string[] {
  if (written === null || written.tree.language !== 'python') return [];
  const { tree, test } = written;
  for (const decorator of tree.childrenOf(test.node)) {
    const call = tree.typeOf(decorator) === 'decorator' ? tree.childOfType(decorator, 'call') : null;
    const called = call === null ? null : tree.childByField(call, 'function');
    if (call === null || called === null || !tree.textOf(called).endsWith('parametrize')) continue;
    const list = tree.childByField(call, 'arguments');
    const [names, table] = list === null ? [] : namedChildren(tree, list);
    if (names === undefined || table === undefined) continue;
    return casesOf(tree, parameterNames(tree, names), table);
  }
  return [];
}

function parameterNames(tree: SyntaxTree, node: NodeId): string[] {
  return tree.textOf(node).match(/[A-Za-z_]\w*/g) ?? [];
}

function casesOf(tree: SyntaxTree, names: readonly string[], table: NodeId): string[] {
  const rows = namedChildren(tree, table)
    .map((row) => caseOf(tree, names, row))
    .filter((row) => row !== null);
  const picked =
    rows.length <= MAX_CASES ? rows : [0, Math.floor(rows.length / 2), rows.length - 1].map((at) => rows[at]);
  return picked.filter(
    (row) => row !== undefined && row.length <= MAX_TEXT && !namesHidden(row) && !namesPath(row),
  ) as string[];
}

function caseOf(tree: SyntaxTree, names: readonly string[], row: NodeId): string | null {
  const isParam = tree.typeOf(row) === 'call';
  const holder = isParam ? tree.childByField(row, 'arguments') : row;
  const cells =
    names.length === 1 && !isParam
      ? [row]
      : holder === null
        ? []
        : namedChildren(tree, holder).filter((cell) => tree.typeOf(cell) !== 'keyword_argument');
  if (cells.length !== names.length) return null;
  return names
    .map((name, at) => `${codeSpan(name)} ${codeSpan(tree.textOf(cells[at] as NodeId).replace(/\s+/g, ' '))}`)
    .join(', ');
}

function namedChildren(tree: SyntaxTree, node: NodeId): NodeId[] {
  return [...tree.childrenOf(node)].filter((child) => tree.isNamed(child) && tree.typeOf(child) !== 'comment');
}
