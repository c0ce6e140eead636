import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, joinLines, splitLines } from './diff-lines.js';
import { mergeLines, settledLines } from './merge-lines.js';

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n'), { maxLength: 25 });
const distinct = fc
  .integer({ min: 1, max: 25 })
  .map((length) => Array.from({ length }, (_, index) => `line ${index}\n`));

describe('differences of lines', () => {
  it('turn the old text into the new one when applied', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const made: string[] = [];
        let at = 0;
        for (const hunk of diffLines(a, b)) {
          made.push(...a.slice(at, hunk.aStart), ...b.slice(hunk.bStart, hunk.bEnd));
          at = hunk.aEnd;
        }
        expect([...made, ...a.slice(at)]).toEqual(b);
      }),
      { numRuns: 500 },
    );
  });

  it('are byte-exact for any bytes, line ends and missing last line ends', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(joinLines(splitLines(Buffer.from(bytes))).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it('stay correct where a region is rewritten beyond the limit of edits', () => {
    const a = Array.from({ length: 3000 }, (_, index) => `${index % 2}\n`);
    const b = Array.from({ length: 3000 }, (_, index) => `${index % 3}\n`);
    const hunks = diffLines(a, b);
    expect(hunks.reduce((sum, hunk) => sum + hunk.bEnd - hunk.bStart - hunk.aEnd + hunk.aStart, 0)).toBe(0);
  });
});

describe('a three-way merge', () => {
  it('takes the one changed side, and the common change of both', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(settledLines(mergeLines({ base, ours: base, theirs: other }, 'conflict'))).toEqual(other);
        expect(settledLines(mergeLines({ base, ours: other, theirs: base }, 'conflict'))).toEqual(other);
        expect(settledLines(mergeLines({ base, ours: other, theirs: other }, 'conflict'))).toEqual(other);
      }),
    );
  });

  it('joins changes of separate lines and never loses one in silence', () => {
    fc.assert(
      fc.property(distinct, fc.nat(), fc.nat(), (base, x, y) => {
        const [one, two] = [x % base.length, y % base.length];
        const ours = base.map((line, index) => (index === one ? `ours ${line}` : line));
        const theirs = base.map((line, index) => (index === two ? `theirs ${line}` : line));
        const merged = settledLines(mergeLines({ base, ours, theirs }, 'conflict'));
        if (Math.abs(one - two) > 1) {
          const both = base.map((line, index) =>
            index === one ? `ours ${line}` : index === two ? `theirs ${line}` : line,
          );
          expect(merged).toEqual(both);
        } else expect(merged).toBeNull();
      }),
    );
  });

  it('lets neighbours stand side by side where their order is certain', () => {
    const base = ['head\n', 'feature\n', 'tail\n'];
    const sides = { base, ours: ['head\n', 'feature\n', 'other\n', 'tail\n'], theirs: ['head\n', 'tail\n'] };
    expect(settledLines(mergeLines(sides, 'conflict'))).toBeNull();
    expect(settledLines(mergeLines(sides, 'apart'))).toEqual(['head\n', 'other\n', 'tail\n']);
    const twice = { base: ['head\n'], ours: ['head\n', 'one\n'], theirs: ['head\n', 'two\n'] };
    expect(settledLines(mergeLines(twice, 'apart'))).toBeNull();
  });
});
