import type { LanguageRules } from '../rules.js';
import type { NodeId, SyntaxTree } from '../syntax-tree.js';
import { unescapeText } from '../unescape.js';

export const pythonStrings: LanguageRules['strings'] = {
  string: (tree, node) => ({ value: stringValue(tree, node), isDoc: isDocstring(tree, node) }),
  concatenated_string: (tree, node) => {
    const parts: string[] = [];
    for (const part of tree.childrenOf(node)) if (tree.typeOf(part) === 'string') parts.push(stringValue(tree, part));
    return { value: parts.join(''), isDoc: isDocstring(tree, node) };
  },
};

/** What the literal evaluates to; interpolations of f-strings stay as written. */
function stringValue(tree: SyntaxTree, node: NodeId): string {
  const match = /^([A-Za-z]*)("""|'''|"|')([\s\S]*)\2$/.exec(tree.textOf(node));
  if (match === null) return tree.textOf(node);
  const [, prefix = '', , inner = ''] = match;
  return /r/i.test(prefix) ? inner : unescapeText(inner);
}

function isDocstring(tree: SyntaxTree, node: NodeId): boolean {
  const statement = tree.parentOf(node);
  return (
    statement !== null &&
    tree.typeOf(statement) === 'expression_statement' &&
    tree.previousSiblingOf(node) === null &&
    tree.nextSiblingOf(node) === null
  );
}

/** Calls that tell somebody what is wrong, by the names that such functions have. */
const ERROR_CALL = /(?:Error|Exception|Warning|Exit|Abort)$|^(?:fail|warn|error|exit|abort)$/;

export const pythonErrors: LanguageRules['errors'] = {
  raise_statement: () => true,
  call: (tree, node) => {
    const name = calledName(tree, node);
    return name !== null && ERROR_CALL.test(name);
  },
};

export function calledName(tree: SyntaxTree, node: NodeId): string | null {
  const called = tree.childByField(node, 'function');
  if (called === null) return null;
  if (tree.typeOf(called) === 'identifier') return tree.textOf(called);
  const attribute = tree.typeOf(called) === 'attribute' ? tree.childByField(called, 'attribute') : null;
  return attribute === null ? null : tree.textOf(attribute);
}
