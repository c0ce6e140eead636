import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allOf, not, scored } from './certainty.js';

const verdict = fc.constantFrom(true, false, null);

describe('allOf', () => {
  it('is false as soon as one verdict is, whatever is unknown', () => {
    expect(allOf([null, false, true])).toBe(false);
    expect(allOf([null, true])).toBeNull();
    expect(allOf([true, true])).toBe(true);
  });

  it('never claims more than every way to fill in the unknown would', () => {
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 6 }), (verdicts) => {
        const fill = (value: boolean): boolean => verdicts.every((one) => (one === null ? value : one));
        const told = allOf(verdicts);
        expect(told).toBe(fill(true) === fill(false) ? fill(true) : null);
      }),
    );
  });
});

describe('scored and not', () => {
  it('leave the unknown unknown', () => {
    expect([scored(null), not(null), scored(true), scored(not(true))]).toEqual([null, null, 1, 0]);
  });
});
