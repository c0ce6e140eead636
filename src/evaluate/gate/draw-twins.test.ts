import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Suite, SuiteTwin } from '#documents/suite.js';
import { testId } from '#documents/test-identity.js';
import { seededRandom } from '#kernel/random.js';
import { drawTwins, spliceTwins } from './draw-twins.js';

const FILE = 'test/ä.test.js';
const keyOf = (name: string) => ({
  runner: 'node-test' as const,
  project: null,
  file: FILE,
  path: ['s', name],
  ordinal: 0,
});

function suiteOf(names: readonly string[]): { suite: Suite; content: Buffer } {
  let text = '// ä\n';
  const twins: SuiteTwin[] = [];
  for (const name of names) {
    text += `test('${name}', () => { is(1); });\n`;
    const twin = `test('${name}', () => { is(2); });\n`;
    const nameStart = Buffer.byteLength("test('");
    twins.push({
      ...{ id: `~${name}`, file: FILE, of: testId(keyOf(name)), insertAt: Buffer.byteLength(text), text: twin },
      ...{ nameStart, nameEnd: nameStart + Buffer.byteLength(name), naming: 'title', path: ['s', name] },
    });
  }
  const suite: Suite = {
    ...{
      stage: 0,
      gateDigest: '',
      quarantined: [],
      overlay: [FILE],
      manifests: [],
      setAside: [],
      referenceSuspicions: [],
      twins,
    },
    runs: [{ id: 'r', runner: 'node-test', cwd: '', project: null, files: [FILE], timeoutMs: 1, perTestTimeoutMs: 1 }],
    tests: names.map((name) => ({
      ...{ id: testId(keyOf(name)), key: keyOf(name), run: 'r', kind: 'f2p', why: 'new', since: null },
      ...{ validThrough: null, durationMs: null },
    })),
  };
  return { suite, content: Buffer.from(text) };
}

function draw(names: readonly string[], seed: string) {
  const { suite, content } = suiteOf(names);
  const drawn = drawTwins(suite, new Map([[FILE, { executable: false, content }]]), seededRandom(seed));
  return { ...drawn, text: drawn.files.get(FILE)?.content.toString() ?? '', original: content.toString() };
}

describe('drawing twins', () => {
  const names = ['adds two numbers', 'adds ä and 0', 'subtracts'];

  it('puts twins before and behind their tests, under other names, and leaves every other byte', () => {
    const { twins, text, original } = draw(names, 'a');
    let rest = text;
    const places = new Set<string>();
    for (const twin of twins) {
      expect(names).not.toContain(twin.name);
      expect(twin.key).toEqual(keyOf(twin.name));
      const of = names.find((name) => twin.of === testId(keyOf(name))) ?? '';
      places.add(text.indexOf(`'${twin.name}'`) < text.indexOf(`'${of}'`) ? 'before' : 'behind');
      rest = rest.replace(new RegExp(`test\\('${twin.name}', \\(\\) => { is\\(2\\); }\\);\\n(?:\\n\\n)?`), '');
    }
    expect(places.size).toBe(2);
    expect(rest).toBe(original);
  });

  it('puts nothing between a decorator and its function', () => {
    const content = Buffer.from('@slow\ndef test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert f() == 1\n');
    const twinOf = (name: string): SuiteTwin => {
      const insertAt = content.indexOf('\n', content.indexOf(`${name}():\n`) + name.length + 4);
      const text = `\n\ndef ${name}():\n    assert f() == 2`;
      const nameStart = text.indexOf(name);
      return {
        ...{ id: name, file: 'f', of: name, insertAt, text, nameStart, nameEnd: nameStart + name.length },
        ...{ naming: 'identifier', path: [name] },
      };
    };
    const placed = ['test_a', 'test_b'].map((name) => ({
      ...{ twin: twinOf(name), name: `${name}_again`, place: 'before' as const },
    }));
    expect(spliceTwins(content, placed).toString()).toBe(
      '@slow\ndef test_a():\n    assert f() == 1\n\ndef test_a_again():\n    assert f() == 2\n\n\n' +
        'def test_b_again():\n    assert f() == 2\n\ndef test_b():\n    assert f() == 1\n',
    );
  });

  it('draws the same for the same seed and other names for another', () => {
    expect(draw(names, 'a').text).toBe(draw(names, 'a').text);
    const texts = new Set(['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => draw(names, seed).text));
    expect(texts.size).toBeGreaterThan(3);
  });

  it('never takes a name that a test of the file has, or one that breaks its literal', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), fc.string(), (titles, seed) => {
        const { twins } = draw(titles, seed);
        expect(twins.length).toBeGreaterThan(0);
        expect(new Set([...titles, ...twins.map((twin) => twin.name)]).size).toBe(titles.length + twins.length);
        for (const twin of twins) expect(twin.name).toMatch(/^[A-Za-z0-9 ]+$/);
      }),
    );
  });
});
