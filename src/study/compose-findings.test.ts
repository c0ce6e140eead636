import { describe, expect, it } from 'vitest';
import type { Figure, Findings } from '#documents/findings.js';
import { seededRandom, shuffled } from '#kernel/random.js';
import { paperLines } from '../../test/support/paper-runs.js';
import { readLines, runLines, type ShortRun } from '../../test/support/result-lines.js';
import { composeFindings, STUDY_DEFAULTS } from './compose-findings.js';

const SETTINGS = { ...STUDY_DEFAULTS, resamples: 200 };
const studyOf = (...runs: ShortRun[]): Findings => composeFindings([readLines(runs.flatMap(runLines))], SETTINGS);

/** A figure of the first condition by table, column and agent (null: pooled). */
function figureOf(findings: Findings, id: string, agent: string | null = null): Figure {
  for (const table of findings.conditions[0]?.tables ?? []) {
    const place = table.columns.findIndex((column) => column.id === id);
    const figure = table.rows.find((row) => row.agent === agent)?.figures[place];
    if (place !== -1 && figure !== undefined) return figure;
  }
  throw new Error(`no figure ${id}`);
}

const percentOf = (findings: Findings, id: string): string =>
  ((figureOf(findings, id).value ?? Number.NaN) * 100).toFixed(1);

describe("the paper's arithmetic", () => {
  const findings = composeFindings([readLines(paperLines())], SETTINGS);
  const [condition] = findings.conditions;

  it('comes out of runs that have the counts behind its shares', () => {
    const shares = Object.fromEntries(
      [
        ...['m0', 'gate', 'f2p', 'survival-0', 'pass-at-m1', 'last-stage-misleads', 'recovery'],
        ...['class-broke-m0', 'class-broke-m1', 'class-broke-later', 'gate-length-2', 'gate-length-5+'],
        ...['f2p-after-passed', 'f2p-after-failed', 'lasting-failure', 'in-chain-regression', 'pure-regression'],
      ].map((id) => [id, percentOf(findings, id)]),
    );
    expect(shares).toEqual({
      m0: '62.7',
      gate: '28.5',
      f2p: '50.4',
      'survival-0': '62.7',
      'pass-at-m1': '66.6',
      'last-stage-misleads': '25.3',
      recovery: '2.7',
      'class-broke-m0': '36.2',
      'class-broke-m1': '20.7',
      'class-broke-later': '13.2',
      'gate-length-2': '44.4',
      'gate-length-5+': '1.5',
      'f2p-after-passed': '70.2',
      'f2p-after-failed': '22.6',
      'lasting-failure': '85.1',
      'in-chain-regression': '7.3',
      'pure-regression': '3.3',
    });
  });

  it('rests on the stated denominators', () => {
    const counts = (id: string): string => `${figureOf(findings, id).sum}/${figureOf(findings, id).of}`;
    expect(condition?.tasks).toHaveLength(73);
    expect(counts('gate')).toBe('208/730');
    expect(counts('f2p')).toBe(`${2630 - 1304}/2630`);
    expect(counts('last-stage-misleads')).toBe('69/273');
    expect(counts('recovery')).toBe('14/525');
    expect(counts('gate-length-5+')).toBe('2/130');
    expect([figureOf(findings, 'survival-2').tasks, figureOf(findings, 'survival-3').tasks]).toEqual([57, 34]);
    expect(figureOf(findings, 'f2p-after-passed').of + figureOf(findings, 'f2p-after-failed').of).toBe(2630 - 730);
  });

  it('agrees with itself: classes, gates and regressions are one account of the same runs', () => {
    const sum = (id: string): number => figureOf(findings, id).sum;
    expect(sum('class-clean') + sum('class-recovered')).toBe(sum('gate'));
    expect(sum('class-clean') + sum('class-gate-fails')).toBe(730 - figureOf(findings, 'recovery').of);
    // Passing the chain gate is passing its F2P and not failing its P2P.
    expect(figureOf(findings, 'pure-regression').of - sum('pure-regression')).toBe(sum('gate'));
    const cont = figureOf(findings, 'cont');
    expect(cont.of - cont.sum).toBe(525 - (730 - sum('m0')));
  });
});

describe('composeFindings', () => {
  const pair: ShortRun[] = [
    { agent: 'a', task: 't', stages: '++ ++', chain: '++' },
    { agent: 'a', task: 'u', stages: '++ -+', chain: '-+' },
    { agent: 'b', task: 't', stages: '++ -+', chain: '-+' },
    { agent: 'b', task: 'u', stages: '-+ -+', chain: '-+' },
  ];

  it('gives the same findings for the same lines in any order', () => {
    const lines = paperLines();
    const small = lines.filter((line) => ['agent-0', 'agent-1', 'agent-2'].includes(String(line.agent)));
    const turned = shuffled(small, seededRandom('order'));
    expect(composeFindings([readLines(turned)], SETTINGS)).toEqual(composeFindings([readLines(small)], SETTINGS));
  });

  it('gives other intervals for another seed, and the same figures', () => {
    const few = paperLines().filter((line) => line.agent === 'agent-0');
    const of = (seed: number): Figure =>
      figureOf(composeFindings([readLines(few)], { ...SETTINGS, seed }), 'depth', 'agent-0');
    expect(of(2).value).toBe(of(3).value);
    expect(of(2).interval).not.toEqual(of(3).interval);
    expect(of(2)).toEqual(of(2));
  });

  it('puts the agent with the best Gate first and all agents together last', () => {
    const rows = studyOf(...pair, { agent: 'c', task: 't', stages: '++ ++', chain: '++' }).conditions[0]?.tables[0]
      ?.rows;
    expect(rows?.map((row) => row.agent)).toEqual(['c', 'a', 'b', null]);
  });

  it('has no pooled row beside a single agent', () => {
    expect(
      studyOf({ task: 't', stages: '++', chain: '++' }).conditions[0]?.tables[0]?.rows.map((row) => row.agent),
    ).toEqual(['a']);
  });

  it('weighs tasks equally however many attempts they had', () => {
    const findings = studyOf(
      { task: 't', attempt: 1, stages: '++', chain: '++' },
      { task: 't', attempt: 2, stages: '++', chain: '++' },
      { task: 't', attempt: 3, stages: '++', chain: '-+' },
      { task: 'u', stages: '-+', chain: '-+' },
    );
    expect(figureOf(findings, 'gate', 'a')).toMatchObject({
      value: expect.closeTo(1 / 3, 12),
      sum: 2,
      of: 4,
      tasks: 2,
    });
  });

  it('lists unfinished runs and counts them nowhere', () => {
    const cut: ShortRun = {
      agent: 'c',
      task: 't',
      stages: '++ ??',
      chain: null,
      more: { outcome: 'environment-error' },
    };
    const findings = studyOf(...pair, cut);
    expect(findings.conditions[0]).toMatchObject({
      runs: 5,
      finished: 4,
      unfinished: [{ agent: 'c', task: 't', attempt: 1, stage: 0, why: 'environment-error' }],
    });
    expect(figureOf(findings, 'gate')).toMatchObject({ sum: 1, of: 4 });
    expect(figureOf(findings, 'gate', 'c')).toMatchObject({ value: null, of: 0, interval: null });
  });

  it('says of one task that it has no interval, and uses Wilson where all tasks agree', () => {
    expect(figureOf(studyOf({ task: 't', stages: '++ -+', chain: '-+' }), 'f2p', 'a')).toMatchObject({
      value: 0.5,
      interval: null,
    });
    const agreed = studyOf({ task: 't', stages: '++', chain: '++' }, { task: 'u', stages: '++', chain: '++' });
    expect(figureOf(agreed, 'gate', 'a').interval).toEqual({
      low: expect.closeTo(0.3424, 4),
      high: 1,
      method: 'wilson',
    });
  });

  it('marks figures that rest on fewer than twenty', () => {
    expect(figureOf(studyOf(...pair), 'f2p').few).toBe(true);
    const few = paperLines().filter((line) => line.agent === 'agent-0');
    expect(figureOf(composeFindings([readLines(few)], SETTINGS), 'f2p', 'agent-0').few).toBe(false);
  });

  it('says which fields a table lacks', () => {
    const tables = studyOf({ task: 't', stages: '++ ++', chain: null }).conditions[0]?.tables ?? [];
    expect(tables.filter((table) => table.lacks !== null).map((table) => table.id)).toEqual([
      ...['gate-by-length', 'run-classes'],
      ...['verification', 'inheritance', 'self-tests', 'criteria', 'spec-words', 'compaction'],
    ]);
  });

  it('compares agents only over the tasks that both have', () => {
    const findings = studyOf(...pair, { agent: 'a', task: 'v', stages: '++', chain: '++' });
    const compared = findings.conditions[0]?.comparisons.find((comparison) => comparison.id === 'gate-to-leader');
    expect(compared).toMatchObject({ agent: 'b', difference: { value: -0.5, tasks: 2 } });
  });

  it('reports torn and repeated lines', () => {
    const lines = pair.flatMap(runLines);
    const read = { ...readLines([...lines, ...lines.slice(0, 2)]), torn: { line: 15, bytes: 7 } };
    expect(composeFindings([read], SETTINGS).notices).toEqual([
      'results.jsonl: line 15 is torn (7 bytes, no end) and was left out.',
      '2 lines say again what an earlier line said; each counts once.',
    ]);
  });

  it('refuses results without runs and settings without sense', () => {
    const task = readLines([{ kind: 'task', task: 't', stages: [{}] }], 'x.jsonl');
    expect(() => composeFindings([task], SETTINGS)).toThrow('x.jsonl: no stage or chain line');
    expect(() =>
      composeFindings([readLines(pair.flatMap(runLines))], { ...SETTINGS, filter: { level: 'L1' } }),
    ).toThrow('with level "L1"');
    expect(() => composeFindings([task], { ...SETTINGS, resamples: 0 })).toThrow('resamples 0');
  });
});
