import { describe, expect, it } from 'vitest';
import { readLines, runLines, type ShortRun } from '../../../test/support/result-lines.js';
import { assembleRunSets } from './assemble-run-sets.js';
import { distinctLines, selectLines } from './index-lines.js';
import type { RunSet } from './run.js';

const assemble = (...runs: ShortRun[]): RunSet[] => assembleRunSets(readLines(runs.flatMap(runLines)).lines);

describe('assembleRunSets', () => {
  it('keeps experiments, levels and modes apart', () => {
    const sets = assemble(
      { task: 't', stages: '++', chain: '++' },
      { task: 't', stages: '++', chain: '++', more: { level: 'L2' } },
      { task: 't', stages: '++', chain: '++', more: { mode: 'reference' } },
      { task: 't', stages: '++', chain: '++', more: { experiment: 'e' } },
    );
    expect(sets.map(({ experiment, level, mode, runs }) => [experiment, level, mode, runs.length])).toEqual([
      ['e', 'L4', 'chain', 1],
      [null, 'L2', 'chain', 1],
      [null, 'L4', 'chain', 1],
      [null, 'L4', 'reference', 1],
    ]);
  });

  it('takes the last round for the gate and keeps the first verdict beside it', () => {
    const [set] = assemble({ task: 'u', stages: '-+>++ ++', chain: '++' });
    const stage = set?.runs.find((run) => run.task === 'u')?.stages[0];
    expect(stage).toMatchObject({ passed: true, rounds: 1, first: { f2p: false, passed: false } });
  });

  it.each(['provider-error', 'environment-error', 'grader-invalid', 'not-reached'])(
    'holds a run with %s for unfinished',
    (outcome) => {
      const lines = runLines({ task: 't', stages: '++ ++', chain: '++' });
      const [set] = assembleRunSets(
        readLines(lines.map((line) => (line.stage === 1 ? { ...line, outcome } : line))).lines,
      );
      expect(set?.runs[0]?.unfinished).toEqual({ stage: 1, why: outcome });
    },
  );

  it('counts what the agent brought on itself as its result', () => {
    const [set] = assemble({ task: 't', stages: '--', chain: '--', more: { outcome: 'agent-timeout' } });
    expect(set?.runs[0]?.unfinished).toBeNull();
  });

  it('judges a stage by its last round, also where an earlier round was cut short', () => {
    const lines = runLines({ task: 't', stages: '??>++', chain: '++' });
    const cut = lines.map((line) => (line.round === 0 ? { ...line, outcome: 'provider-error' } : line));
    expect(assembleRunSets(readLines(cut).lines)[0]?.runs[0]?.unfinished).toBeNull();
  });

  it('holds a run for unfinished that lacks a gate which others have', () => {
    const [set] = assemble(
      { task: 't', stages: '++ ++', chain: '++' },
      { agent: 'b', task: 't', stages: '++', chain: '++' },
      { agent: 'c', task: 't', stages: '++ ++', chain: null },
    );
    expect(set?.runs.map(({ agent, unfinished }) => [agent, unfinished])).toEqual([
      ['a', null],
      ['b', { stage: 1, why: 'no result line' }],
      ['c', { stage: null, why: 'no result line' }],
    ]);
  });

  it('does not miss chain gates where no run of the set has one', () => {
    const [set] = assemble({ task: 't', stages: '++', chain: null, more: { mode: 'isolated' } });
    expect(set?.runs[0]?.unfinished).toBeNull();
  });

  it('weighs attempts so that every task weighs the same, unfinished ones not counting', () => {
    const [set] = assemble(
      { task: 't', attempt: 1, stages: '++', chain: '++' },
      { task: 't', attempt: 2, stages: '++', chain: '++' },
      { task: 't', attempt: 3, stages: '++', chain: '++', more: { outcome: 'provider-error' } },
      { task: 'u', stages: '++', chain: '++' },
    );
    expect(set?.runs.map((run) => run.weight)).toEqual([0.5, 0.5, 0.5, 1]);
  });

  it('takes the length from the task line and refuses a stage beyond it', () => {
    const task = { kind: 'task', task: 't', stages: [{}, {}, {}] };
    const run = runLines({ task: 't', stages: '++ ++', chain: '++' });
    expect(assembleRunSets(readLines([...run, task]).lines)[0]?.tasks[0]).toMatchObject({
      length: 3,
      lengthInferred: false,
    });
    const beyond = readLines([{ ...task, stages: [{}] }, ...run], 'mine.jsonl');
    expect(() => assembleRunSets(beyond.lines)).toThrow(
      'mine.jsonl: line 3: stage 1 of task "t", whose task line has 1 stages',
    );
  });

  it('asks for a length where only chain gates are known', () => {
    expect(() => assemble({ task: 't', stages: '', chain: '++' })).toThrow('its length is unknown');
  });
});

describe('distinctLines', () => {
  it('counts a repeated line once, whatever the order of its keys', () => {
    const [line = {}] = runLines({ task: 't', stages: '++', chain: null });
    const turned = Object.fromEntries(Object.entries(line).reverse());
    expect(distinctLines(readLines([line, turned]).lines)).toMatchObject({ repeated: 1, lines: { length: 1 } });
  });

  it('refuses two lines that say different things about the same stage, naming both', () => {
    const [line = {}] = runLines({ task: 't', stages: '++', chain: null });
    expect(() => distinctLines(readLines([line, { ...line, f2p: false }]).lines)).toThrow(
      'results.jsonl: line 2: says otherwise than results.jsonl line 1 about the same stage',
    );
  });
});

describe('selectLines', () => {
  it('keeps the chosen level and all task lines', () => {
    const lines = readLines([
      { kind: 'task', task: 't', stages: [{}] },
      ...runLines({ task: 't', stages: '++', chain: null }),
      ...runLines({ task: 't', stages: '++', chain: null, more: { level: 'L2' } }),
    ]).lines;
    expect(selectLines(lines, { level: 'L2' }).map(({ line }) => line)).toEqual([1, 3]);
  });
});
