import type { NodeId, SyntaxTree } from '#languages/index.js';
import { namesHidden, namesPath } from './clean-prose.js';
import { codeSpan } from './code-span.js';
import type { TestGroup } from './group-tests.js';
import { isLiteralTree } from './literal-tree.js';
import { bareExpression, boundIn, inputOf, isSelfContained, lastValueOf, rootVariable } from './test-values.js';

const MAX_FACTS = 6;
const MAX_TEXT = 120;

/** What a test sees from outside. */
export interface ObservedFact {
  /** What the test put in, in its own spelling; null where that is not plain. */
  input: string | null;
  /** In words: "`exit_code` is `2`", "raises `BadParameter`". */
  text: string;
}

/**
 * Expectations of a test against literals, told of the last thing that is asked of a value; what the test's own
 * variables are called says nothing.
 */
export function observedFacts({ written }: TestGroup): ObservedFact[] {
  if (written === null || written.test.body === null) return [];
  const { tree, test } = written;
  const place: Place = { tree, from: test.body ?? test.node };
  const facts: ObservedFact[] = [];
  const end = tree.subtreeEndOf(place.from);
  for (let node = place.from; node < end && facts.length < MAX_FACTS; node += 1) {
    const fact =
      tree.language === 'python'
        ? pythonFact(place, node)
        : tree.language === 'rust'
          ? rustFact(place, node)
          : scriptFact(place, node);
    if (fact === null || namesHidden(fact.text) || namesPath(fact.text)) continue;
    const input = fact.input !== null && (namesHidden(fact.input) || namesPath(fact.input)) ? null : fact.input;
    if (!facts.some((held) => held.text === fact.text && held.input === input)) facts.push({ ...fact, input });
  }
  return facts;
}

/** The test's tree and where its body begins. */
interface Place {
  tree: SyntaxTree;
  from: NodeId;
}

const noInput = (text: string): ObservedFact => ({ input: null, text });

function pythonFact(place: Place, node: NodeId): ObservedFact | null {
  const { tree } = place;
  const type = tree.typeOf(node);
  if (type === 'call') return raisesFact(tree, node);
  if (type !== 'assert_statement') return null;
  const claim = firstNamed(tree, node);
  if (claim === null) return null;
  if (tree.typeOf(claim) === 'not_operator') {
    const inner = tree.childByField(claim, 'argument');
    const isPlain =
      inner !== null && tree.typeOf(inner) !== 'comparison_operator' && !/exception$/.test(tree.textOf(inner));
    return isPlain ? told(place, inner, 'is empty or false') : null;
  }
  if (tree.typeOf(claim) !== 'comparison_operator') return null;
  const operands = [...tree.childrenOf(claim)].filter((child) => tree.isNamed(child));
  const operator = tree.text.slice(tree.textEndOf(operands[0] ?? claim), tree.textStartOf(operands[1] ?? claim)).trim();
  const [left, right] = operands;
  if (left === undefined || right === undefined || operands.length !== 2) return null;
  if (operator === 'in' || operator === 'not in')
    return relation(place, right, operator === 'in' ? 'contains' : 'does not contain', left);
  const words: Record<string, string> = {
    '==': 'is',
    is: 'is',
    '!=': 'is not',
    'is not': 'is not',
    '<': 'is less than',
    '>': 'is greater than',
  };
  const word = words[operator];
  return word === undefined ? null : relation(place, left, word, right);
}

function raisesFact(tree: SyntaxTree, node: NodeId): ObservedFact | null {
  const called = tree.childByField(node, 'function');
  const list = tree.childByField(node, 'arguments');
  if (called === null || list === null || !/(?:^|\.)(?:raises|warns|assertRaises\w*)$/.test(tree.textOf(called)))
    return null;
  const error = firstNamed(tree, list);
  if (error === null) return null;
  const match = [...tree.childrenOf(list)].find(
    (child) => tree.typeOf(child) === 'keyword_argument' && /^match\s*=/.test(tree.textOf(child)),
  );
  const pattern = match === undefined ? null : tree.childByField(match, 'value');
  const message =
    pattern === null || !isLiteralTree(tree, pattern)
      ? ''
      : ` with a message that matches ${shown(tree.textOf(pattern))}`;
  const verb = tree.textOf(called).endsWith('warns') ? 'warns with' : 'raises';
  return noInput(`${verb} ${shown(tree.textOf(error).split('.').pop() ?? '')}${message}`);
}

const MATCHERS: Readonly<Record<string, string>> = {
  toBe: 'is',
  toEqual: 'is',
  toStrictEqual: 'is',
  toMatchObject: 'has',
  toContain: 'contains',
  toContainEqual: 'contains',
  toMatch: 'matches',
  toHaveLength: 'has length',
  toHaveProperty: 'has the property',
  toBeGreaterThan: 'is greater than',
  toBeLessThan: 'is less than',
  toThrow: 'throws',
  toThrowError: 'throws',
  toBeInstanceOf: 'is an instance of',
  toBeNull: 'is null',
  toBeUndefined: 'is undefined',
  toBeDefined: 'is defined',
  toBeTruthy: 'is true',
  toBeFalsy: 'is false',
};

const ASSERTIONS: Readonly<Record<string, string>> = {
  equal: 'is',
  strictEqual: 'is',
  deepEqual: 'is',
  deepStrictEqual: 'is',
  notEqual: 'is not',
  notStrictEqual: 'is not',
  match: 'matches',
  assertEquals: 'is',
};

function scriptFact(place: Place, node: NodeId): ObservedFact | null {
  const { tree } = place;
  if (tree.typeOf(node) !== 'call_expression') return null;
  const called = tree.childByField(node, 'function');
  const list = tree.childByField(node, 'arguments');
  if (called === null || list === null) return null;
  const [first, second] = [...tree.childrenOf(list)].filter((child) => tree.isNamed(child));
  const name = /([A-Za-z]+)$/.exec(tree.textOf(called))?.[1] ?? '';
  const assertion =
    /^(?:assert\b|t\.)/.test(tree.textOf(called)) || name === 'assertEquals' ? ASSERTIONS[name] : undefined;
  if (assertion !== undefined && first !== undefined && second !== undefined)
    return relation(place, first, assertion, second);
  const subject = expectedSubject(tree, called);
  const word = MATCHERS[name];
  if (subject === null || word === undefined) return null;
  const negated = /\.not\.\w+$/.test(tree.textOf(called));
  if (first === undefined)
    return told(place, subject, negated ? word.replace(/^is/, 'is not').replace(/^throws/, 'does not throw') : word);
  return relation(place, subject, negated ? negation(word) : word, first);
}

function negation(word: string): string {
  if (word.startsWith('is')) return word.replace(/^is/, 'is not');
  if (word.startsWith('has')) return word.replace(/^has/, 'does not have');
  return `does not ${word.replace(/e?s$/, (end) => (end === 'es' && word === 'matches' ? '' : end.slice(0, -1)))}`;
}

/** `x` of `expect(x).not.toBe`. */
function expectedSubject(tree: SyntaxTree, called: NodeId): NodeId | null {
  let at: NodeId | null = called;
  for (let hops = 0; at !== null && hops < 6; hops += 1) {
    if (tree.typeOf(at) === 'call_expression') {
      const callee = tree.childByField(at, 'function');
      const list = tree.childByField(at, 'arguments');
      return callee !== null && list !== null && /^expect(?:\.\w+)?$/.test(tree.textOf(callee))
        ? firstNamed(tree, list)
        : null;
    }
    at = tree.childByField(at, 'object');
  }
  return null;
}

/** `assert_eq!(a, "b")`: inside a macro there are only tokens, so the last literal is what is expected. */
function rustFact({ tree }: Place, node: NodeId): ObservedFact | null {
  if (tree.typeOf(node) !== 'macro_invocation') return null;
  const match =
    /^assert_(eq|ne)!\s*\(\s*([\s\S]*?),\s*("(?:[^"\\]|\\.)*"|-?[\d_.]+|true|false|None|Some\([^()]*\)|Ok\([^()]*\)|Err\([^()]*\))\s*,?\s*\)$/.exec(
      tree.textOf(node),
    );
  if (match === null) return null;
  const [, kind, left = '', right = ''] = match;
  return noInput(`${lastAsked(left) ?? 'the result'} ${kind === 'eq' ? 'is' : 'is not'} ${shown(right)}`);
}

function relation(place: Place, subject: NodeId, word: string, expected: NodeId): ObservedFact | null {
  const { tree } = place;
  const value = tree.textOf(expected);
  const isType = /^(?:throws|is an instance of|does not throw)/.test(word) && /^[\w.]+$/.test(value);
  if (value.length > MAX_TEXT || (!isType && !isLiteralTree(tree, expected))) return null;
  return told(place, subject, `${word} ${shown(value)}`);
}

function told(place: Place, subject: NodeId, words: string): ObservedFact | null {
  const { tree, from } = place;
  if (/^(?:throws|does not throw)/.test(words)) return noInput(words);
  if (isLiteralTree(tree, subject)) return null;
  const bare = bareExpression(tree, subject);
  const measured = /^len\(/.test(tree.textOf(bare)) ? tree.childByField(bare, 'arguments') : null;
  const inner = measured === null ? null : firstNamed(tree, measured);
  if (inner !== null) return told(place, inner, words.replace(/^is\b/, 'has length'));
  const text = oneLine(tree, bare);
  const isCall = tree.childByField(bare, 'arguments') !== null;
  if (isCall && text.length <= MAX_TEXT && isSelfContained(tree, bare)) return noInput(`${shown(text)} ${words}`);
  const asked = lastAsked(text);
  if (asked !== null) return { input: inputOfVariable(place, bare), text: `${asked} ${words}` };
  if (isCall) return resultOf(inputOf(tree, bare, from), words);
  const name = rootVariable(tree, bare);
  const value = name === null || !boundIn(tree).has(name) ? null : lastValueOf(tree, name, subject, from);
  return value === null ? null : toldOfValue(place, value, words);
}

/** A variable by itself: what it was given, if that can be told. */
function toldOfValue(place: Place, value: NodeId, words: string): ObservedFact | null {
  const { tree, from } = place;
  const source = bareExpression(tree, value);
  const text = oneLine(tree, source);
  if (isSelfContained(tree, source))
    return text.length <= MAX_TEXT && !isLiteralTree(tree, source) ? noInput(`${shown(text)} ${words}`) : null;
  const asked = lastAsked(text);
  if (asked === null || /null|defined/.test(words)) return null;
  return { input: inputOf(tree, source, from) ?? inputOfVariable(place, source), text: `${asked} ${words}` };
}

/** What went into the call that made the variable which an expression starts from. */
function inputOfVariable({ tree, from }: Place, expression: NodeId): string | null {
  const name = rootVariable(tree, expression);
  const value = name === null || !boundIn(tree).has(name) ? null : lastValueOf(tree, name, expression, from);
  return value === null ? null : inputOf(tree, value, from);
}

function resultOf(input: string | null, words: string): ObservedFact | null {
  return input === null || /null|defined/.test(words) ? null : { input, text: `the result ${words}` };
}

function oneLine(tree: SyntaxTree, node: NodeId): string {
  return tree.textOf(node).replace(/\s+/g, ' ');
}

/** The last thing that is asked of a value: `exit_code` of `result.exit_code`, the header of `res.headers.get('X')`. */
function lastAsked(text: string): string | null {
  const header = /\bheaders?(?:\.get)?[([]\s*(['"])([\w-]+)\1\s*[)\]]\)?$/.exec(text);
  if (header !== null) return `header ${codeSpan(header[2] as string)}`;
  const last = /\.([A-Za-z]\w*(?:\(\))?)\)?$/.exec(text)?.[1];
  return last === undefined ? null : codeSpan(last);
}

function shown(text: string): string {
  return codeSpan(text.replace(/\s+/g, ' '));
}

function firstNamed(tree: SyntaxTree, node: NodeId): NodeId | null {
  for (const child of tree.childrenOf(node)) if (tree.isNamed(child) && tree.typeOf(child) !== 'comment') return child;
  return null;
}
