import type { RunnerName } from '#documents/test-identity.js';

/** A test of the tiny task: what it calls, what it expects, and what its twin expects instead. */
interface TinyTest {
  name: string;
  call: string;
  expected: string;
  wrong: string;
}

/** The tiny feature in one language: calc's base functions, and what the one stage adds. */
export interface TinyFeature {
  runner: RunnerName;
  source: string;
  base: string;
  grown: string;
  /** Manifests and the like, in every state. */
  fixed: Record<string, string>;
  baseFile: string;
  newFiles: readonly string[];
  /** Tests by file. */
  tests: Readonly<Record<string, readonly TinyTest[]>>;
  /** Text of a test file with these tests, as it is in S_0 or S_1. */
  fileOf(tests: readonly TinyTest[], state: 0 | 1): string;
  testText(test: TinyTest, expected?: string): string;
  naming: 'identifier' | 'title';
}

const JS_BASE = `export function add(a, b) {
  return a + b;
}

export function negate(a) {
  return -a;
}
`;
const JS_GROWN = `${JS_BASE}
export function scale(list, factor) {
  if (typeof factor !== 'number') throw new TypeError('factor must be a number');
  return list.map((value) => value * factor);
}

export function label(value) {
  return value < 0 ? \`-\${-value}\` : \`+\${value}\`;
}

export function total(list) {
  return list.reduce((sum, value) => add(sum, value), 0);
}
`;
const BASE_TESTS: TinyTest[] = [
  { name: 'adds two numbers', call: 'calc.add(1, 2)', expected: '3', wrong: '4' },
  { name: 'negates one number', call: 'calc.negate(5)', expected: '-5', wrong: '-6' },
];
const SCALE_TESTS: TinyTest[] = [
  { name: 'scales numbers of one list', call: 'calc.scale([1, 2], 3)', expected: '[3, 6]', wrong: '[3, 7]' },
  { name: 'scales one empty list', call: 'calc.scale([], 3)', expected: '[]', wrong: '[1]' },
];
const LABEL_TESTS: TinyTest[] = [
  { name: 'labels numbers with their sign', call: 'calc.label(3)', expected: "'+3'", wrong: "'+4'" },
  { name: 'totals numbers of one list', call: 'calc.total([1, 2, 3])', expected: '6', wrong: '7' },
];

function scriptFeature(runner: 'node-test' | 'vitest'): TinyFeature {
  const vitest = runner === 'vitest';
  const head = vitest
    ? "import { expect, test } from 'vitest';\nimport * as calc from '../src/calc.js';\n"
    : "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as calc from '../src/calc.js';\n";
  const testText = (one: TinyTest, expected = one.expected): string =>
    vitest
      ? `\ntest('${one.name}', () => {\n  expect(${one.call}).toEqual(${expected});\n});\n`
      : `\ntest('${one.name}', () => {\n  assert.deepEqual(${one.call}, ${expected});\n});\n`;
  const manifest = {
    ...{ name: 'calc', version: '1.0.0', type: 'module', exports: './src/calc.js' },
    scripts: { test: vitest ? 'vitest' : 'node --test' },
    devDependencies: vitest ? { vitest: '*' } : {},
  };
  return {
    ...{ runner, source: 'src/calc.js', base: JS_BASE, grown: JS_GROWN, naming: 'title' },
    fixed: { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` },
    baseFile: 'test/base.test.js',
    newFiles: ['test/label.test.js', 'test/scale.test.js'],
    tests: { 'test/base.test.js': BASE_TESTS, 'test/label.test.js': LABEL_TESTS, 'test/scale.test.js': SCALE_TESTS },
    fileOf: (tests) => head + tests.map((one) => testText(one)).join(''),
    testText,
  };
}

function pythonFeature(): TinyFeature {
  const named = (tests: readonly TinyTest[]): TinyTest[] =>
    tests.map((one) => ({ ...one, name: `test_${one.name.replaceAll(' ', '_')}` }));
  const testText = (one: TinyTest, expected = one.expected): string =>
    `\n\ndef ${one.name}():\n    assert ${one.call} == ${expected}\n`;
  const base = 'def add(a, b):\n    return a + b\n\n\ndef negate(a):\n    return -a\n';
  const grown = `${base}

def scale(values, factor):
    return [value * factor for value in values]


def label(value):
    return f"-{-value}" if value < 0 else f"+{value}"


def total(values):
    return sum(values)
`;
  return {
    ...{ runner: 'pytest', source: 'calc.py', base, grown, naming: 'identifier' },
    fixed: { 'pyproject.toml': '[project]\nname = "calc"\nversion = "1.0.0"\ndependencies = []\n' },
    baseFile: 'tests/test_base.py',
    newFiles: ['tests/test_label.py', 'tests/test_scale.py'],
    tests: {
      'tests/test_base.py': named(BASE_TESTS),
      'tests/test_label.py': named(LABEL_TESTS),
      'tests/test_scale.py': named(SCALE_TESTS),
    },
    fileOf: (tests) => `import calc\n${tests.map((one) => testText(one)).join('')}`,
    testText,
  };
}

export const TINY_FEATURES: Readonly<Record<RunnerName, TinyFeature>> = {
  'node-test': scriptFeature('node-test'),
  vitest: scriptFeature('vitest'),
  pytest: pythonFeature(),
};
