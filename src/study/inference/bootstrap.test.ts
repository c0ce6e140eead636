import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '#kernel/random.js';
import { bcaInterval } from './bca.js';
import { bootstrapDifference, bootstrapInterval } from './bootstrap.js';
import { type Ratio, ratioValue, resampleRatio } from './ratio.js';
import { planResamples } from './resample-plan.js';

const shareOf = (passed: number, of: number): Ratio => ({
  numerators: Array.from({ length: of }, (_, unit) => Number(unit < passed)),
  denominators: Array.from({ length: of }, () => 1),
});

describe('bootstrapInterval', () => {
  it('gives the interval that the paper prints for 25 of 73 tasks', () => {
    const bounds = bootstrapInterval(shareOf(25, 73), planResamples(73, 4000, seededRandom('1')), 0.95);
    expect(bounds?.low).toBeCloseTo(17 / 73, 10);
    expect(bounds?.high).toBeCloseTo(33 / 73, 10);
  });

  it('gives the exact quantiles where every resample can be listed', () => {
    // Two tasks, 1 and 0: resampled means are 0, 1/2, 1 with chances 1/4, 1/2, 1/4.
    const plan = { units: 2, resamples: 4, draws: Uint32Array.from([1, 1, 0, 1, 1, 0, 0, 0]) };
    expect([...resampleRatio(shareOf(1, 2), plan)]).toEqual([0, 0.5, 0.5, 1]);
    expect(bootstrapInterval(shareOf(1, 2), plan, 1 / 3)).toEqual({ low: 0.5, high: 0.5 });
    expect(bootstrapInterval(shareOf(1, 2), plan, 0.999999)?.high).toBeCloseTo(1, 4);
  });

  it('leaves out resamples in which nothing is counted', () => {
    const plan = { units: 3, resamples: 2, draws: Uint32Array.from([2, 2, 2, 0, 1, 2]) };
    expect(bootstrapInterval({ numerators: [1, 0, 0], denominators: [1, 1, 0] }, plan, 0.95)).toEqual({
      low: 0.5,
      high: 0.5,
    });
  });

  it('claims nothing from one task or from none', () => {
    const plan = planResamples(3, 100, seededRandom('x'));
    expect(bootstrapInterval({ numerators: [0, 2, 0], denominators: [0, 4, 0] }, plan, 0.95)).toBeNull();
    expect(bootstrapInterval({ numerators: [0, 0, 0], denominators: [0, 0, 0] }, plan, 0.95)).toBeNull();
  });

  it('contains the figure, stays within the data, and does not depend on who draws first', () => {
    const unit = fc.record({ of: fc.integer({ min: 1, max: 8 }), share: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 8, maxLength: 40 }), fc.integer(), (units, seed) => {
        const ratio: Ratio = {
          numerators: units.map(({ of, share }) => Math.round(of * share)),
          denominators: units.map(({ of }) => of),
        };
        const plan = planResamples(units.length, 600, seededRandom(`${seed}`));
        const bounds = bootstrapInterval(ratio, plan, 0.95);
        const value = ratioValue(ratio);
        if (bounds === null || value === null) throw new Error('a full ratio has an interval');
        expect(bounds.low).toBeLessThanOrEqual(value + 1e-12);
        expect(bounds.high).toBeGreaterThanOrEqual(value - 1e-12);
        expect(bounds.low).toBeGreaterThanOrEqual(0);
        expect(bounds.high).toBeLessThanOrEqual(1);
        expect(bootstrapInterval(ratio, plan, 0.95)).toEqual(bounds);
      }),
      { numRuns: 60 },
    );
  });
});

describe('coverage', () => {
  /** How often the 95% interval of a mean over tasks holds the truth. */
  function coverage(
    truth: number,
    draw: (random: Random) => Ratio,
    make: typeof bootstrapInterval,
    trials = 400,
  ): number {
    let held = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const ratio = draw(seededRandom(`trial/${trial}`));
      const plan = planResamples(ratio.denominators.length, 400, seededRandom(`plan/${trial}`));
      const bounds = make(ratio, plan, 0.95);
      if (bounds !== null && bounds.low <= truth && truth <= bounds.high) held += 1;
    }
    return held / trials;
  }
  const tasks = Array.from({ length: 60 }, (_, task) => task);

  it('is near 95% for independent tasks', () => {
    const draw = (random: Random): Ratio => ({
      numerators: tasks.map(() => Number(random.next() < 0.4)),
      denominators: tasks.map(() => 1),
    });
    const share = coverage(0.4, draw, bootstrapInterval);
    expect(share).toBeGreaterThan(0.91);
    expect(share).toBeLessThan(0.98);
  });

  it('stays near 95% where ten agents share the fate of a task, since tasks are what is resampled', () => {
    const draw = (random: Random): Ratio => ({
      numerators: tasks.map(() => 10 * Number(random.next() < 0.4)),
      denominators: tasks.map(() => 10),
    });
    const share = coverage(0.4, draw, bootstrapInterval);
    expect(share).toBeGreaterThan(0.91);
    expect(share).toBeLessThan(0.98);
    // Resampling the 600 runs as if they were independent would be far too sure.
    const naive = coverage(
      0.4,
      (random) => {
        const fates = tasks.map(() => Number(random.next() < 0.4));
        return {
          numerators: fates.flatMap((fate) => Array<number>(10).fill(fate)),
          denominators: Array<number>(600).fill(1),
        };
      },
      bootstrapInterval,
      100,
    );
    expect(naive).toBeLessThan(0.6);
  });

  it('of the corrected interval holds for skewed small shares', () => {
    const draw = (random: Random): Ratio => ({
      numerators: tasks.map(() => Number(random.next() < 0.1)),
      denominators: tasks.map(() => 1),
    });
    expect(coverage(0.1, draw, bcaInterval)).toBeGreaterThan(0.91);
  });
});

describe('bootstrapDifference', () => {
  it('is narrower than unpaired where two agents fail on the same tasks', () => {
    const plan = planResamples(40, 2000, seededRandom('p'));
    const left = shareOf(24, 40);
    const right = shareOf(20, 40);
    const paired = bootstrapDifference(left, right, plan, 0.95);
    const turned = { ...right, numerators: [...right.numerators].reverse() };
    const unpaired = bootstrapDifference(left, turned, plan, 0.95);
    if (paired === null || unpaired === null) throw new Error('both have an interval');
    expect(paired.low).toBeGreaterThan(0);
    expect(paired.high - paired.low).toBeLessThan((unpaired.high - unpaired.low) / 2);
  });

  it('of a figure with itself is exactly nothing', () => {
    const plan = planResamples(10, 200, seededRandom('q'));
    expect(bootstrapDifference(shareOf(3, 10), shareOf(3, 10), plan, 0.95)).toEqual({ low: 0, high: 0 });
  });
});
