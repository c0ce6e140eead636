import type { NodeId, SyntaxTree } from '#languages/index.js';

/** A test as written: where it stands, what it is called, where its name can be replaced. Byte offsets into the source. */
export interface WrittenTest {
  /** Titles from the outside in. */
  path: string[];
  /** The whole statement or definition, decorators included. */
  start: number;
  end: number;
  nameStart: number;
  nameEnd: number;
  naming: 'identifier' | 'title';
  /** One definition gives several tests (parametrised, each). */
  several: boolean;
  node: NodeId;
}

/** All tests written in a source file, in order. Tests made by other means (generated titles, loops) are not found. */
export function findWrittenTests(tree: SyntaxTree): WrittenTest[] {
  return tree.language === 'python' ? pythonTests(tree) : callTests(tree);
}

function pythonTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    if (tree.typeOf(node) !== 'function_definition') continue;
    const name = childOfType(tree, node, 'identifier');
    if (name === null || !tree.textOf(name).startsWith('test')) continue;
    const scope = pythonScope(tree, node);
    if (scope === null) continue;
    const parent = tree.parentOf(node);
    const whole = parent !== null && tree.typeOf(parent) === 'decorated_definition' ? parent : node;
    tests.push({
      path: [...scope, tree.textOf(name)],
      start: tree.startOf(whole),
      end: tree.endOf(whole),
      nameStart: tree.startOf(name),
      nameEnd: tree.endOf(name),
      naming: 'identifier',
      several:
        whole !== node && /parametrize|given\(/.test(tree.text.slice(tree.textStartOf(whole), tree.textStartOf(node))),
      node,
    });
  }
  return tests;
}

/** Names of the classes around a definition; null where it stands inside a function and so is no test. */
function pythonScope(tree: SyntaxTree, node: NodeId): string[] | null {
  const scope: string[] = [];
  for (let at = tree.parentOf(node); at !== null; at = tree.parentOf(at)) {
    const type = tree.typeOf(at);
    if (type === 'function_definition') return null;
    if (type !== 'class_definition') continue;
    const name = childOfType(tree, at, 'identifier');
    if (name !== null) scope.unshift(tree.textOf(name));
  }
  return scope;
}

const TEST_WORDS = new Set(['test', 'it', 'specify']);
const SUITE_WORDS = new Set(['describe', 'suite', 'context']);

function callTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    const call = titledCall(tree, node);
    if (call === null || !TEST_WORDS.has(call.word)) continue;
    const parent = tree.parentOf(node);
    const whole = parent !== null && tree.typeOf(parent) === 'expression_statement' ? parent : node;
    const [start, end] = [tree.startOf(call.title), tree.endOf(call.title)];
    tests.push({
      path: [...callScope(tree, node), call.text],
      start: tree.startOf(whole),
      end: tree.endOf(whole),
      nameStart: start + 1,
      nameEnd: end - 1,
      naming: 'title',
      several: call.several || whole === node,
      node,
    });
  }
  return tests;
}

function callScope(tree: SyntaxTree, node: NodeId): string[] {
  const scope: string[] = [];
  for (let at = tree.parentOf(node); at !== null; at = tree.parentOf(at)) {
    const call = titledCall(tree, at);
    if (call !== null && (SUITE_WORDS.has(call.word) || TEST_WORDS.has(call.word))) scope.unshift(call.text);
  }
  return scope;
}

/** `word('title', ...)`, `word.modifier('title', ...)` or `word.each(rows)('title', ...)`. */
function titledCall(
  tree: SyntaxTree,
  node: NodeId,
): { word: string; title: NodeId; text: string; several: boolean } | null {
  if (tree.typeOf(node) !== 'call_expression') return null;
  const callee = tree.firstChildOf(node);
  const list = childOfType(tree, node, 'arguments');
  if (callee === null || list === null) return null;
  const match = /^([A-Za-z]+)(\.[A-Za-z.]+)?/.exec(tree.textOf(callee));
  const title = firstNamedChild(tree, list);
  if (match === null || title === null) return null;
  const word = match[1] as string;
  if (!TEST_WORDS.has(word) && !SUITE_WORDS.has(word)) return null;
  const type = tree.typeOf(title);
  const raw = tree.textOf(title);
  if (type !== 'string' && !(type === 'template_string' && !raw.includes('${'))) return null;
  return { word, title, text: unquote(raw), several: tree.typeOf(callee) === 'call_expression' };
}

/** The value of a simple string literal; escapes other than quotes and backslashes keep their spelling. */
function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\(['"`\\])/g, '$1');
}

export function childOfType(tree: SyntaxTree, node: NodeId, type: string): NodeId | null {
  for (let child = tree.firstChildOf(node); child !== null; child = tree.nextSiblingOf(child)) {
    if (tree.typeOf(child) === type) return child;
  }
  return null;
}

export function firstNamedChild(tree: SyntaxTree, node: NodeId): NodeId | null {
  for (let child = tree.firstChildOf(node); child !== null; child = tree.nextSiblingOf(child)) {
    if (tree.isNamed(child) && tree.typeOf(child) !== 'comment') return child;
  }
  return null;
}

export function namedChildren(tree: SyntaxTree, node: NodeId): NodeId[] {
  const children: NodeId[] = [];
  for (let child = tree.firstChildOf(node); child !== null; child = tree.nextSiblingOf(child)) {
    if (tree.isNamed(child) && tree.typeOf(child) !== 'comment') children.push(child);
  }
  return children;
}

/** The path of titles that a runner reports, without what parameters add: `test_x[a-1]` is written as `test_x`. */
export function writtenPath(path: readonly string[]): string[] {
  return path.map((part) => (/^test\w*\[/s.test(part) ? part.slice(0, part.indexOf('[')) : part));
}
