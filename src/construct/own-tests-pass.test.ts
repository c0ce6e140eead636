import { describe, expect, it } from 'vitest';
import type { Validation } from '#documents/provenance.js';
import { ownTestsPass } from './own-tests-pass.js';

type Observed = Validation['observations'][number];
const observed = (state: number, statuses: Record<string, 'pass' | 'fail'>, repeat = 0): Observed => ({
  ...{ testsOf: state, state, repeat, order: 'listed', seconds: 1 },
  results: Object.fromEntries(Object.entries(statuses).map(([id, status]) => [id, { status, durationMs: 1 }])),
});
const touched = (id: string): boolean => id.startsWith('own');

describe('the tests of a state on that state', () => {
  it('hold where all that pass at the end pass, whatever fails everywhere', () => {
    const rows = ownTestsPass(
      [observed(0, { own: 'pass', bad: 'fail' }), observed(1, { own: 'pass', bad: 'fail' })],
      2,
      touched,
    );
    expect(rows).toEqual([
      { name: 'own-tests-pass', state: 0, holds: true, evidence: '1 of 2 test(s) of the state pass on it' },
    ]);
  });

  it('do not hold where one of a touched file fails, also in one repeat alone', () => {
    const end = observed(1, { own: 'pass' });
    expect(ownTestsPass([observed(0, { own: 'fail' }), end], 2, touched)[0]?.holds).toBe(false);
    const repeats = [observed(0, { own: 'pass' }), observed(0, { own: 'fail' }, 1)];
    expect(ownTestsPass([...repeats, end], 2, touched)[0]).toMatchObject({
      holds: false,
      evidence: expect.stringContaining('not own'),
    });
  });

  it('allow a few elsewhere, which are later work’s own use of the feature', () => {
    const results = (status: 'pass' | 'fail', count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`other ${index}`, status]));
    const holds = (count: number) =>
      ownTestsPass([observed(0, results('fail', count)), observed(1, results('pass', count))], 2, touched)[0]?.holds;
    expect([holds(3), holds(4)]).toEqual([true, false]);
  });
});
