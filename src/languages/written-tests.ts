import type { NodeId, SyntaxTree } from './syntax-tree.js';

/** A test as it is written. One may stand for several reported ones (parameters, `each`, sub-tests). */
export interface WrittenTest {
  /** Titles or names from the outside in, as written. */
  path: string[];
  /** The whole statement or definition, decorators included; byte offsets. */
  start: number;
  end: number;
  node: NodeId;
  /** Where its name stands, quotes apart; byte offsets. */
  nameStart: number;
  nameEnd: number;
  naming: 'identifier' | 'title';
  /** One definition gives, or may give, several tests: parametrised, `each`, a title with holes, not a statement of its own. */
  several: boolean;
  /** The test's own code, without its decorators and titles; null where it cannot be told. */
  body: NodeId | null;
  /** Whether a path that a runner reports is this test or a case of it. */
  matches(reported: readonly string[]): boolean;
}

/** All tests that are written out in a source file, in order. Tests made in loops or by macros are not found. */
export function writtenTests(tree: SyntaxTree): WrittenTest[] {
  switch (tree.language) {
    case 'python':
      return pythonTests(tree);
    case 'rust':
      return rustTests(tree);
    case 'go':
      return goTests(tree);
    default:
      return scriptTests(tree);
  }
}

function test(
  tree: SyntaxTree,
  parts: Pick<WrittenTest, 'path' | 'node' | 'body' | 'several' | 'matches'> & { name: NodeId },
): WrittenTest {
  const { name, ...rest } = parts;
  const quote = tree.language === 'typescript' || tree.language === 'tsx' || tree.language === 'javascript' ? 1 : 0;
  return {
    ...rest,
    start: tree.startOf(parts.node),
    end: tree.endOf(parts.node),
    nameStart: tree.startOf(name) + quote,
    nameEnd: tree.endOf(name) - quote,
    naming: quote === 1 ? 'title' : 'identifier',
  };
}

/** `test_x[a-1]` is a case of `test_x`. */
function withoutCase(part: string): string {
  const open = part.indexOf('[');
  return open > 0 && part.endsWith(']') ? part.slice(0, open) : part;
}

function pythonTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    if (tree.typeOf(node) !== 'function_definition') continue;
    const name = tree.childByField(node, 'name');
    if (name === null || !tree.textOf(name).startsWith('test')) continue;
    const scope = pythonClasses(tree, node);
    if (scope === null) continue;
    const path = [...scope, tree.textOf(name)];
    const parent = tree.parentOf(node);
    const whole = parent !== null && tree.typeOf(parent) === 'decorated_definition' ? parent : node;
    const decorators = tree.text.slice(tree.textStartOf(whole), tree.textStartOf(node));
    tests.push(
      test(tree, {
        path,
        name,
        node: whole,
        several: /parametrize|given\(/.test(decorators),
        body: tree.childByField(node, 'body'),
        matches: (reported) => samePath(reported.map(withoutCase), path),
      }),
    );
  }
  return tests;
}

/** Names of the classes around a definition; null where it stands inside a function and so is no test. */
function pythonClasses(tree: SyntaxTree, node: NodeId): string[] | null {
  const classes: string[] = [];
  for (let above = tree.parentOf(node); above !== null; above = tree.parentOf(above)) {
    if (tree.typeOf(above) === 'function_definition') return null;
    const name = tree.typeOf(above) === 'class_definition' ? tree.childByField(above, 'name') : null;
    if (name !== null) classes.unshift(tree.textOf(name));
  }
  return classes;
}

function rustTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    if (tree.typeOf(node) !== 'function_item' || !hasTestAttribute(tree, node)) continue;
    const name = tree.childByField(node, 'name');
    if (name === null) continue;
    const own = tree.textOf(name);
    tests.push(
      test(tree, {
        path: [own],
        name,
        node,
        several: false,
        body: tree.childByField(node, 'body'),
        // Cases of parametrised tests are functions in a module of the test's name.
        matches: (reported) => reported.flatMap((part) => part.split('::')).some((part) => part === own),
      }),
    );
  }
  return tests;
}

function hasTestAttribute(tree: SyntaxTree, node: NodeId): boolean {
  let above = tree.previousSiblingOf(node);
  for (let seen = 0; above !== null && seen < 64; seen += 1) {
    const type = tree.typeOf(above);
    if (type === 'attribute_item' && /^#\[(?:\w+::)*(?:test|rstest|test_case|bench)\b/.test(tree.textOf(above)))
      return true;
    if (type !== 'attribute_item' && !type.endsWith('comment')) return false;
    above = tree.previousSiblingOf(above);
  }
  return false;
}

function goTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    const type = tree.typeOf(node);
    if (type !== 'function_declaration' && type !== 'method_declaration') continue;
    const name = tree.childByField(node, 'name');
    if (name === null || !/^(?:Test|Example|Fuzz)/.test(tree.textOf(name))) continue;
    const own = tree.textOf(name);
    const matches = (reported: readonly string[]): boolean => reported.flatMap((part) => part.split('/')).includes(own);
    tests.push(test(tree, { path: [own], name, node, several: false, body: tree.childByField(node, 'body'), matches }));
  }
  return tests;
}

const TEST_CALL = /^(?:[\w$]+\.)?(?:test|it|specify)(?:\.\w+)*$/;
const SUITE_CALL = /^(?:[\w$]+\.)?(?:describe|suite|context)(?:\.\w+)*$/;

function scriptTests(tree: SyntaxTree): WrittenTest[] {
  const tests: WrittenTest[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    const call = titledCall(tree, node);
    if (call === null || !TEST_CALL.test(call.word)) continue;
    const titles = [...titlesAround(tree, node), call];
    const parent = tree.parentOf(node);
    const held = parent !== null && tree.typeOf(parent) === 'await_expression' ? tree.parentOf(parent) : parent;
    const isStatement = held !== null && tree.typeOf(held) === 'expression_statement';
    tests.push(
      test(tree, {
        path: titles.map(({ text }) => text),
        name: call.title,
        node: isStatement ? held : node,
        several: !isStatement || titles.some(({ hasHoles }) => hasHoles),
        body: lastArgument(tree, node),
        matches: (reported) =>
          reported.length === titles.length && titles.every((title, at) => title.fits(reported[at] ?? '')),
      }),
    );
  }
  return tests;
}

interface TitledCall {
  word: string;
  title: NodeId;
  text: string;
  /** It may stand for several reported titles. */
  hasHoles: boolean;
  fits(reported: string): boolean;
}

/** `word('title', …)`, `word.modifier('title', …)` or `word.each(rows)('title', …)`. */
function titledCall(tree: SyntaxTree, node: NodeId): TitledCall | null {
  if (tree.typeOf(node) !== 'call_expression') return null;
  let callee = tree.childByField(node, 'function');
  const isEach = callee !== null && tree.typeOf(callee) === 'call_expression';
  if (callee !== null && isEach) callee = tree.childByField(callee, 'function');
  const list = tree.childByField(node, 'arguments');
  const title = list === null ? null : tree.childOfType(list, 'string', 'template_string');
  if (callee === null || list === null || title === null || tree.textEndOf(callee) - tree.textStartOf(callee) > 60)
    return null;
  const word = tree.textOf(callee).replace(/\s+/g, '');
  if (!TEST_CALL.test(word) && !SUITE_CALL.test(word)) return null;
  const text = tree
    .textOf(title)
    .slice(1, -1)
    .replace(/\\(['"`\\])/g, '$1');
  return { word, title, text, hasHoles: isEach || text.includes('${'), fits: titleFits(text, isEach) };
}

/** Placeholders of templates and of `each` stand for anything. */
function titleFits(text: string, isEach: boolean): (reported: string) => boolean {
  const holes = isEach ? /\$\{[^}]*\}|%[sdifjoOc#$]|\$[\w.]+/g : /\$\{[^}]*\}/g;
  const parts = text.split(holes);
  if (parts.length === 1) return (reported) => reported === text;
  const pattern = new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}$`);
  return (reported) => pattern.test(reported);
}

function titlesAround(tree: SyntaxTree, node: NodeId): TitledCall[] {
  const titles: TitledCall[] = [];
  for (let above = tree.parentOf(node); above !== null; above = tree.parentOf(above)) {
    const call = titledCall(tree, above);
    if (call !== null) titles.unshift(call);
  }
  return titles;
}

function lastArgument(tree: SyntaxTree, node: NodeId): NodeId | null {
  const list = tree.childByField(node, 'arguments');
  let last: NodeId | null = null;
  for (const argument of list === null ? [] : tree.childrenOf(list)) {
    if (['arrow_function', 'function_expression'].includes(tree.typeOf(argument))) last = argument;
  }
  return last === null ? null : tree.childByField(last, 'body');
}

function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}
