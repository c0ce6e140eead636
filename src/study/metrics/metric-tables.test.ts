import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, runLines, type ShortRun } from '../../../test/support/result-lines.js';
import { assembleRunSets } from './assemble-run-sets.js';
import { metricTables } from './metric-tables.js';
import type { RunSet } from './run.js';
import { classifyRun, RUN_CLASSES } from './run-class.js';
import { tallyRuns } from './tally.js';

function setOf(runs: readonly ShortRun[]): RunSet {
  const [set] = assembleRunSets(readLines(runs.flatMap(runLines)).lines);
  if (set === undefined) throw new Error('no runs');
  return set;
}

/** Every metric as `sum/of`, and the number of unknown verdicts where there are some. */
function countsOf(runs: readonly ShortRun[]): Record<string, string> {
  const set = setOf(runs);
  const tasks = set.tasks.map((task) => task.task);
  const metrics = metricTables(set).flatMap((table) => table.metrics);
  return Object.fromEntries(
    metrics.map((metric) => {
      const { sum, of, unknown } = tallyRuns(set.runs, tasks, metric.observe);
      return [metric.id, `${Math.round(sum * 1000) / 1000}/${of}${unknown > 0 ? ` ?${unknown}` : ''}`];
    }),
  );
}

describe('metrics by the definitions', () => {
  // Four runs of three stages: clean; a P2P slip in the middle and back; broken at m1 to the end; broken at m0.
  const runs: ShortRun[] = [
    { task: 't1', stages: '++ ++ ++', chain: '++' },
    { task: 't2', stages: '++ +- ++', chain: '++' },
    { task: 't3', stages: '++ -+ -+', chain: '-+' },
    { task: 't4', stages: '-- -+ ++', chain: '+-' },
  ];

  it('agree with counts made by hand', () => {
    expect(countsOf(runs)).toMatchObject({
      m0: '3/4',
      gate: '2/4',
      // m1 of t1 t2 t3 and m2 of t1: t1 passes both.
      cont: '2/4',
      f2p: '8/12',
      // 3/3 + 1/3 + 1/3 + 0/3
      depth: '1.667/4',
      'p2p-down': '1/4',
      'survival-0': '3/4',
      'survival-1': '1/4',
      'survival-2': '1/4',
      'gate-length-3': '2/4',
      'class-clean': '1/4',
      'class-gate-fails': '0/4',
      'class-recovered': '1/4',
      'class-broke-m0': '1/4',
      'class-broke-m1': '1/4',
      'class-broke-later': '0/4',
      // After passed: m1 of t1 t2 t3, m2 of t1. After failed: m2 of t2 t3 t4, m1 of t4.
      'f2p-after-passed': '3/4',
      'f2p-after-failed': '2/4',
      'pass-at-m1': '1/3',
      'pass-at-m2': '1/1',
      'pass-at-m3+': '0/0',
      'last-stage': '3/4',
      'last-stage-misleads': '1/3',
      // t2: 0 of 1, t3: 1 of 1, t4: 1 of 2.
      'lasting-failure': '1.5/3',
      recovery: '1/3',
      // t1 and t2 passed F2P at every stage, and pass it at the end.
      'in-chain-regression': '0/2',
      // t1, t2 and t4 pass chain F2P; t4 fails chain P2P.
      'pure-regression': '1/3',
    });
  });

  it('count an in-chain regression where every stage worked and the feature does not', () => {
    expect(countsOf([{ task: 't', stages: '++ ++', chain: '-+' }])).toMatchObject({
      'in-chain-regression': '1/1',
      'pure-regression': '0/0',
      'class-gate-fails': '1/1',
    });
  });

  it('leave unknown verdicts out, and count them', () => {
    expect(countsOf([{ task: 't', stages: '++ ?? ++', chain: '??' }])).toMatchObject({
      m0: '1/1',
      gate: '0/0 ?1',
      // m1 is unknown itself; m2 does not know whether it meets the condition.
      cont: '0/0 ?2',
      f2p: '2/2 ?1',
      depth: '0/0 ?1',
      'survival-0': '1/1',
      'survival-1': '0/0 ?1',
      'class-clean': '0/0 ?1',
      'f2p-after-passed': '0/0 ?2',
    });
  });

  it('know that a gate failed when one suite did, though the other is unknown', () => {
    expect(countsOf([{ task: 't', stages: '?- ++', chain: '-?' }])).toMatchObject({
      m0: '0/1',
      gate: '0/1',
      f2p: '1/1 ?1',
      'class-broke-m0': '1/1',
    });
  });

  it('leave unfinished runs out of every denominator', () => {
    const cut: ShortRun = { task: 't5', stages: '++ ?? ??', chain: null, more: { outcome: 'provider-error' } };
    const withCut = countsOf([...runs, cut]);
    expect(withCut).toEqual(countsOf(runs));
  });

  it('count survival only over tasks that are long enough', () => {
    expect(
      countsOf([
        { task: 't', stages: '++ ++', chain: '++' },
        { task: 'u', stages: '++ ++ ++ ++', chain: '++' },
      ]),
    ).toMatchObject({
      'survival-1': '2/2',
      'survival-2': '1/1',
      'survival-3': '1/1',
      'gate-length-2': '1/1',
      'gate-length-4': '1/1',
    });
  });

  it('show first verdicts beside last ones where there were repair rounds', () => {
    expect(countsOf([{ task: 't', stages: '-+>++ -+>++', chain: '++' }])).toMatchObject({
      m0: '1/1',
      cont: '1/1',
      f2p: '2/2',
      'm0-first': '0/1',
      'cont-first': '0/1',
      'f2p-first': '0/2',
    });
  });
});

describe('laws of the metrics', () => {
  const gate = fc.constantFrom('++', '+-', '-+', '--', '??', '?-');
  const run = fc.record({ stages: fc.array(gate, { minLength: 1, maxLength: 6 }), chain: gate });

  it('every run with known verdicts has exactly one class', () => {
    fc.assert(
      fc.property(run, ({ stages, chain }) => {
        const counts = countsOf([{ task: 't', stages: stages.join(' '), chain }]);
        const found = Object.keys(RUN_CLASSES).map((name) => counts[`class-${name}`]);
        const known = classifyRun(setOf([{ task: 't', stages: stages.join(' '), chain }]).runs[0] ?? never()) !== null;
        expect(found.filter((count) => count === '1/1')).toHaveLength(known ? 1 : 0);
        expect(found.filter((count) => count === '0/0 ?1')).toHaveLength(known ? 0 : 6);
      }),
    );
  });

  it('survival never rises along one chain, and its first point is m0', () => {
    fc.assert(
      fc.property(run, ({ stages, chain }) => {
        const known = stages.map((word) => word.replace(/\?/g, '-'));
        const counts = countsOf([{ task: 't', stages: known.join(' '), chain }]);
        const survival = known.map((_, stage) => Number((counts[`survival-${stage}`] ?? '').split('/')[0]));
        expect(survival).toEqual([...survival].sort((a, b) => b - a));
        expect(counts['survival-0']).toBe(counts.m0);
      }),
    );
  });
});

function never(): never {
  throw new Error('no run');
}
