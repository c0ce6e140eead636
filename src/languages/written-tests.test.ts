import { describe, expect, it } from 'vitest';
import type { LanguageName } from './contract.js';
import { parseSource } from './parse-source.js';
import { SyntaxTree } from './syntax-tree.js';
import { writtenTests } from './written-tests.js';

async function testsOf(language: LanguageName, source: string) {
  const tree = await parseSource(language, Buffer.from(source));
  if (!(tree instanceof SyntaxTree)) throw new Error('unparsed');
  return writtenTests(tree).map((test) => ({ ...test, text: source.slice(test.start, test.end) }));
}

describe('tests as they are written', () => {
  it('are functions and methods of classes in Python, with their decorators; cases are recognised', async () => {
    const tests = await testsOf(
      'python',
      '@mark.parametrize("a", [1])\ndef test_x(a):\n    def test_inner(): pass\nclass TestY:\n    def test_z(self): pass\ndef helper(): pass\n',
    );
    expect(tests.map(({ path }) => path)).toEqual([['test_x'], ['TestY', 'test_z']]);
    expect(tests[0]?.text).toContain('@mark');
    expect(tests[0]?.matches(['test_x[a b-[1]]'])).toBe(true);
    expect(tests[0]?.matches(['TestY', 'test_x'])).toBe(false);
  });

  it('are titled calls inside titled suites in scripts; templates and tables match their cases', async () => {
    const tests = await testsOf(
      'typescript',
      `describe('basic auth', () => {\n  it('returns 401', async () => { f() })\n  it.each([1, 2])('adds %i', (n) => {})\n  test(\`has \${x} left\`, () => {})\n})\nawait t.test('sub', () => {})\nexpect(a).toBe('x')\n`,
    );
    expect(tests.map(({ path }) => path.join(' > '))).toEqual([
      'basic auth > returns 401',
      'basic auth > adds %i',
      `basic auth > has \${x} left`,
      'sub',
    ]);
    expect(tests.map(({ matches }) => matches(['basic auth', 'adds 2']))).toEqual([false, true, false, false]);
    expect(tests[2]?.matches(['basic auth', 'has 3 left'])).toBe(true);
    expect(tests[0]?.body).not.toBeNull();
  });

  it('carry an attribute in Rust and a prefix in Go', async () => {
    const rust = await testsOf('rust', 'fn helper() {}\n#[test]\n#[ignore]\nfn works() {}\n');
    expect(rust.map(({ path }) => path)).toEqual([['works']]);
    expect(rust[0]?.matches(['tests::works'])).toBe(true);
    const go = await testsOf('go', 'package p\nfunc TestMux(t *testing.T) {}\nfunc helper() {}\n');
    expect(go[0]?.matches(['TestMux', 'sub'])).toBe(true);
    expect(go[0]?.matches(['TestMuxer'])).toBe(false);
  });
});
