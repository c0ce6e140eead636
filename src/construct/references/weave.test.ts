import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WeaveVersion, weave } from './weave.js';

const lines = (text: string): string[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => `${word}\n`);
const version = (text: string | null, position: number | null = null): WeaveVersion => ({
  lines: text === null ? null : lines(text),
  position,
});
const without = (versions: WeaveVersion[], position: number): string | null => {
  const found = weave(versions).without(position);
  if ('entangled' in found) return 'entangled';
  return found.lines === null ? null : found.lines.map((line) => line.trim()).join(' ');
};

describe('a woven file', () => {
  it('loses the lines that a commit wrote and keeps its neighbours', () => {
    const versions = [version('head tail'), version('head feature tail', 0), version('head feature other tail')];
    expect(without(versions, 0)).toBe('head other tail');
    expect(without(versions, 1)).toBe('head feature other tail');
  });

  it('gets back the lines that a commit removed, where they stood', () => {
    const versions = [version('a old b'), version('a new b', 0), version('a new more b'), version('top a new more b')];
    expect(without(versions, 0)).toBe('top a old more b');
  });

  it('gives later work inside the lines of a commit to the commit', () => {
    const versions = [version('a z'), version('a f1 f2 f3 z', 0), version('a f1 fixed f2 f3 z')];
    expect(without(versions, 0)).toBe('a z');
    expect(weave(versions).adoptedBy(0)).toEqual(['fixed\n']);
  });

  it('gives a deeper indented continuation of an inserted block to the block', () => {
    const text = (...rows: string[]): string[] => rows.map((row) => `${row}\n`);
    const versions: WeaveVersion[] = [
      { lines: text('def a():', '    pass', 'end'), position: null },
      { lines: text('def a():', '    pass', 'def f():', '    one()', 'end'), position: 0 },
      { lines: text('def a():', '    pass', 'def f():', '    one()', '    two()', 'end'), position: null },
    ];
    expect(weave(versions).without(0)).toEqual({ lines: text('def a():', '    pass', 'end') });
  });

  it('does not decide an edit that turns the lines of a commit and other lines into one', () => {
    const versions = [version('a z'), version('a feature z', 0), version('everything.else')];
    expect(without(versions, 0)).toBe('entangled');
    expect(without(versions, 1)).toBe('everything.else');
  });

  it('leaves commits out one by one, newest first, whatever they did to each other', () => {
    const versions = [
      version('a z'),
      version('a one z', 0),
      version('a one two z', 1),
      version('a two three z', 2),
      version('a two three z later'),
    ];
    expect(without(versions, 3)).toBe('a two three z later');
    expect(without(versions, 2)).toBe('a one two z later');
    expect(without(versions, 1)).toBe('a one z later');
    expect(without(versions, 0)).toBe('a z later');
  });

  it('knows a file that a commit made, ended, or that later work ended', () => {
    expect(without([version(null), version('x', 0), version('x y')], 0)).toBeNull();
    expect(without([version('x'), version(null, 0)], 0)).toBe('x');
    expect(without([version('x'), version('x y', 0), version(null)], 0)).toBeNull();
    expect(without([version('x'), version(null, 0), version('new', 1)], 1)).toBeNull();
  });

  it('always gives the newest version back where nothing is left out', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '}', 'if', 'x y'), { maxLength: 12 })
      .map((words) => words.map((word) => `${word}\n`));
    const history = fc.array(fc.record({ lines: text, chain: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(history, (steps) => {
        let position = 0;
        const versions = steps.map(({ lines: now, chain }, index): WeaveVersion => {
          if (index === 0 || !chain) return { lines: now, position: null };
          position += 1;
          return { lines: now, position: position - 1 };
        });
        expect(weave(versions).without(position)).toEqual({ lines: steps.at(-1)?.lines ?? [] });
      }),
      { numRuns: 300 },
    );
  });

  it('without any commit is the first version where only commits of the chain came after it', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 10 })
      .map((words) => words.map((word) => `${word}\n`));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (steps) => {
        const versions = steps.map(
          (now, index): WeaveVersion => ({ lines: now, position: index === 0 ? null : index - 1 }),
        );
        for (let position = 0; position < steps.length; position += 1)
          expect(weave(versions).without(position)).toEqual({ lines: steps[position] });
      }),
    );
  });
});
