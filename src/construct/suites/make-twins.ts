import type { SuiteTwin } from '#documents/suite.js';
import { type NodeId, type SyntaxTree, type WrittenTest, writtenTests } from '#languages/index.js';

/** Asserting calls of node:assert whose second argument is the expectation. */
const COMPARING = new Set([
  'equal',
  'strictEqual',
  'deepEqual',
  'deepStrictEqual',
  'match',
  'throws',
  'rejects',
  'notEqual',
  'notStrictEqual',
]);
/** Matchers of `expect(...)` that take no expectation; their twin says `.not`. */
const BARE_MATCHERS = new Set([
  'toBeTruthy',
  'toBeFalsy',
  'toBeNull',
  'toBeUndefined',
  'toBeDefined',
  'toBeNaN',
  'toThrow',
  'toThrowError',
  'toHaveBeenCalled',
]);
const LITERALS = new Set(['string', 'number', 'integer', 'float', 'true', 'false', 'template_string']);

interface Edit {
  /** Byte range in the source. */
  start: number;
  end: number;
  text: string;
}

/**
 * Copies of the file's tests with one expectation changed, for the tests of `wanted` (paths as JSON). A changed literal is
 * preferred to a negated assertion: whoever blanks the assertions that tests use blanks the twin's too.
 * Whether a twin really fails on the reference is settled by running it.
 */
export function makeTwins(tree: SyntaxTree, file: string, wanted: ReadonlyMap<string, string>): SuiteTwin[] {
  return writtenTests(tree).flatMap((test) => {
    const of = wanted.get(JSON.stringify(test.path));
    if (of === undefined || test.several) return [];
    const edit = expectationEdit(tree, test);
    return edit === null ? [] : [twinOf(tree, file, of, test, edit)];
  });
}

function twinOf(tree: SyntaxTree, file: string, of: string, test: WrittenTest, edit: Edit): SuiteTwin {
  const { source } = tree;
  const lineStart = source.lastIndexOf(0x0a, Math.max(0, test.start - 1)) + 1;
  const indent = /^[ \t]*/.exec(source.toString('utf8', test.start === 0 ? 0 : lineStart, test.start))?.[0] ?? '';
  const lead = `\n\n${indent}`;
  const shift = Buffer.byteLength(lead) - test.start;
  const text = Buffer.concat([
    Buffer.from(lead),
    source.subarray(test.start, edit.start),
    Buffer.from(edit.text),
    source.subarray(edit.end, test.end),
  ]).toString('utf8');
  return {
    id: `${of}~${edit.start}`,
    file,
    of,
    insertAt: test.end,
    text,
    nameStart: test.nameStart + shift,
    nameEnd: test.nameEnd + shift,
    naming: test.naming,
    path: test.path,
  };
}

function expectationEdit(tree: SyntaxTree, test: WrittenTest): Edit | null {
  let negation: Edit | null = null;
  for (let node = test.node + 1; node < tree.subtreeEndOf(test.node); node += 1) {
    const found = tree.language === 'python' ? pythonExpectation(tree, node) : callExpectation(tree, node);
    if (found === null) continue;
    const changed = found.expected.map((part) => changeLiteral(tree, part)).find((edit) => edit !== null);
    if (changed !== undefined && changed !== null) return changed;
    negation ??= found.negation;
  }
  return negation;
}

interface Expectation {
  /** Subtrees that hold what is expected. */
  expected: NodeId[];
  negation: Edit | null;
}

function pythonExpectation(tree: SyntaxTree, node: NodeId): Expectation | null {
  if (tree.typeOf(node) === 'assert_statement') {
    const [condition] = namedChildren(tree, node);
    if (condition === undefined) return null;
    const compared = tree.typeOf(condition) === 'comparison_operator' ? namedChildren(tree, condition).slice(-1) : [];
    const start = tree.startOf(condition);
    const end = tree.endOf(condition);
    return { expected: compared, negation: { start, end, text: `not (${tree.textOf(condition)})` } };
  }
  if (tree.typeOf(node) === 'call' && /^(?:pytest\.)?raises$/.test(calleeText(tree, node))) {
    const list = namedChildren(tree, node).find((child) => tree.typeOf(child) === 'argument_list');
    const match =
      list === undefined
        ? undefined
        : namedChildren(tree, list).find(
            (child) => tree.typeOf(child) === 'keyword_argument' && tree.textOf(child).startsWith('match'),
          );
    return { expected: match === undefined ? [] : [match], negation: null };
  }
  return null;
}

function callExpectation(tree: SyntaxTree, node: NodeId): Expectation | null {
  if (tree.typeOf(node) !== 'call_expression') return null;
  const callee = tree.firstChildOf(node);
  const list = namedChildren(tree, node).find((child) => tree.typeOf(child) === 'arguments');
  if (callee === null || list === undefined) return null;
  const given = namedChildren(tree, list);
  const text = tree.textOf(callee);
  const method = /\.([A-Za-z]+)$/.exec(text)?.[1] ?? '';
  if (/^(?:assert|t\.assert)\b/.test(text)) {
    const [first, second] = given;
    if (COMPARING.has(method)) return { expected: second === undefined ? [] : [second], negation: null };
    if ((method === 'ok' || text === 'assert') && first !== undefined) {
      return {
        expected: [],
        negation: { start: tree.startOf(first), end: tree.endOf(first), text: `!(${tree.textOf(first)})` },
      };
    }
    return null;
  }
  if (!/^expect\b/.test(text) || method === '' || !text.includes(')')) return null;
  const at = tree.endOf(callee) - method.length;
  const negation =
    BARE_MATCHERS.has(method) && !/\.not\.[A-Za-z]+$/.test(text) ? { start: at, end: at, text: 'not.' } : null;
  return { expected: given, negation };
}

function calleeText(tree: SyntaxTree, node: NodeId): string {
  const callee = tree.firstChildOf(node);
  return callee === null ? '' : tree.textOf(callee);
}

/** The first literal of a subtree, changed as little as a mistaken expectation would be. */
function changeLiteral(tree: SyntaxTree, root: NodeId): Edit | null {
  for (let node = root; node < tree.subtreeEndOf(root); node += 1) {
    if (!LITERALS.has(tree.typeOf(node))) continue;
    const text = changedLiteral(tree.typeOf(node), tree.textOf(node));
    if (text !== null) return { start: tree.startOf(node), end: tree.endOf(node), text };
  }
  return null;
}

function changedLiteral(type: string, text: string): string | null {
  if (/^true$/i.test(text)) return text === 'true' ? 'false' : 'False';
  if (/^false$/i.test(text)) return text === 'false' ? 'true' : 'True';
  if (/^[0-9]+$/.test(text)) return String(Number(text) + 1);
  if (type !== 'string' && type !== 'template_string') return null;
  const match = /^([A-Za-z]*)("""|'''|["'`])(.*)\2$/s.exec(text);
  if (match === null || text.includes('${') || /^[A-Za-z]*[fF]/.test(match[1] ?? '')) return null;
  const [, prefix = '', quote = '', content = ''] = match;
  const letter = content.search(/(?<!\\)[A-Za-z](?=[a-z ]|$)/);
  if (letter < 0) return content.includes('\\') ? null : `${prefix}${quote}${content}x${quote}`;
  const held = content[letter] as string;
  const other = held.toLowerCase() === 'e' ? 'a' : 'e';
  const changed = held === held.toLowerCase() ? other : other.toUpperCase();
  return `${prefix}${quote}${content.slice(0, letter)}${changed}${content.slice(letter + 1)}${quote}`;
}

function namedChildren(tree: SyntaxTree, node: NodeId): NodeId[] {
  return [...tree.childrenOf(node)].filter((child) => tree.isNamed(child) && tree.typeOf(child) !== 'comment');
}
