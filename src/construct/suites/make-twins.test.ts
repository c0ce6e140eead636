import { describe, expect, it } from 'vitest';
import { parseSource } from '#languages/index.js';
import { makeTwins } from './make-twins.js';

async function twins(language: 'python' | 'javascript' | 'typescript', source: string, paths: string[][]) {
  const tree = await parseSource(language, Buffer.from(source));
  if ('unparsed' in tree) throw new Error(tree.unparsed);
  return makeTwins(tree, 'file', new Map(paths.map((path) => [JSON.stringify(path), path.join('.')])));
}

describe('a twin', () => {
  it('is the test with one expected literal changed and its name replaceable', async () => {
    const source = "import assert from 'node:assert';\ntest('adds ä', () => {\n  assert.equal(add(1, 2), 3);\n});\n";
    const [twin] = await twins('javascript', source, [['adds ä']]);
    expect(twin?.text).toBe("\n\ntest('adds ä', () => {\n  assert.equal(add(1, 2), 4);\n});");
    const bytes = Buffer.from(twin?.text ?? '');
    expect(bytes.subarray(twin?.nameStart, twin?.nameEnd).toString()).toBe('adds ä');
    expect(Buffer.from(source).subarray(0, twin?.insertAt).toString().endsWith('});')).toBe(true);
  });

  it('changes the expectation and never the action', async () => {
    const source =
      "describe('s', () => {\n  it('finds', () => {\n    expect(find('dune')).toEqual(['Dune', 'x']);\n  });\n});\n";
    const [twin] = await twins('typescript', source, [['s', 'finds']]);
    expect(twin?.text).toContain("expect(find('dune')).toEqual(['Eune', 'x'])");
  });

  it('negates a bare matcher where there is no literal', async () => {
    const [twin] = await twins('typescript', "it('is', () => {\n  expect(x).toBeTruthy();\n});\n", [['is']]);
    expect(twin?.text).toContain('expect(x).not.toBeTruthy()');
  });

  it('is made of Python functions and methods, not of parametrised ones', async () => {
    const source = [
      'import pytest',
      '',
      '@pytest.mark.parametrize("a", [1])',
      'def test_many(a):',
      '    assert a == 1',
      '',
      'class TestX:',
      '    def test_one(self):',
      '        assert f() == "abc"',
      '',
      'def test_flag():',
      '    assert flag',
      '',
    ].join('\n');
    const made = await twins('python', source, [['test_many'], ['TestX', 'test_one'], ['test_flag']]);
    expect(made.map((twin) => twin.text)).toEqual([
      '\n\n    def test_one(self):\n        assert f() == "ebc"',
      '\n\ndef test_flag():\n    assert not (flag)',
    ]);
  });
});
