import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCumulative, normalQuantile } from './normal.js';
import { quantile, quantiles } from './quantile.js';
import { spearman } from './spearman.js';
import { wilsonInterval } from './wilson.js';

describe('wilsonInterval', () => {
  it('agrees with values worked out by hand', () => {
    // 56 of 60, z = 1.959964: centre (0.93333 + 1.920729/60)/1.0640243, reach 1.959964 sqrt(...)/1.0640243.
    expect(wilsonInterval(56, 60, 0.95)?.low).toBeCloseTo(0.8407, 4);
    expect(wilsonInterval(56, 60, 0.95)?.high).toBeCloseTo(0.9738, 4);
    expect(wilsonInterval(0, 10, 0.95)).toEqual({ low: 0, high: expect.closeTo(0.27753, 5) });
    expect(wilsonInterval(1, 1, 0.95)).toEqual({ low: expect.closeTo(0.20655, 5), high: 1 });
  });

  it('is undefined without trials, never 0', () => {
    expect(wilsonInterval(0, 0, 0.95)).toBeNull();
  });

  it('holds the share, mirrors for failures, and narrows with n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, share) => {
        const passed = Math.round(of * share);
        const bounds = wilsonInterval(passed, of, 0.95);
        const mirrored = wilsonInterval(of - passed, of, 0.95);
        const more = wilsonInterval(passed * 4, of * 4, 0.95);
        if (bounds === null || mirrored === null || more === null) throw new Error('defined');
        expect(bounds.low - 1e-12).toBeLessThanOrEqual(passed / of);
        expect(bounds.high + 1e-12).toBeGreaterThanOrEqual(passed / of);
        expect(mirrored.low).toBeCloseTo(1 - bounds.high, 10);
        expect(more.high - more.low).toBeLessThan(bounds.high - bounds.low);
      }),
    );
  });
});

describe('the normal distribution', () => {
  it('has its known quantiles, and quantile and distribution undo each other', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 9);
    expect(normalQuantile(0.5)).toBeCloseTo(0, 9);
    expect(normalCumulative(-3)).toBeCloseTo(0.0013498980316301, 12);
    for (const z of [-5, -2.1, -0.3, 0, 1.4, 1.99, 2.01, 4])
      expect(normalQuantile(normalCumulative(z))).toBeCloseTo(z, 6);
  });
});

describe('quantile', () => {
  it('interpolates between neighbours and knows nothing of nothing', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([], 0.5)).toBeNull();
    expect(quantiles([10, 2, 33], [0, 0.5, 1])).toEqual([2, 10, 33]);
  });
});

describe('spearman', () => {
  it('is 1 for any rising relation, -1 for a falling one, and ties share their rank', () => {
    expect(
      spearman([
        [1, 1],
        [2, 100],
        [3, 101],
      ]),
    ).toBe(1);
    expect(
      spearman([
        [1, 3],
        [2, 2],
        [3, 1],
      ]),
    ).toBe(-1);
    // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
    expect(
      spearman([
        [1, 1],
        [2, 2],
        [2, 3],
        [4, 4],
      ]),
    ).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
  });

  it('is undefined where one side never changes', () => {
    expect(
      spearman([
        [1, 2],
        [1, 3],
      ]),
    ).toBeNull();
    expect(spearman([[1, 2]])).toBeNull();
  });
});
