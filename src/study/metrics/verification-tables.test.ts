import { describe, expect, it } from 'vitest';
import { readLines, runLines } from '../../../test/support/result-lines.js';
import { assembleRunSets } from './assemble-run-sets.js';
import { resolvedLabel } from './resolved-label.js';
import type { RunSet } from './run.js';
import { tallyRuns } from './tally.js';
import { VERIFICATION_TABLES } from './verification-tables.js';

type Line = Record<string, unknown>;

const identity = { agent: 'a', task: 't', attempt: 1, level: 'L4', mode: 'chain' };
const label = (stage: number, name: string, value: string | null, more: Line = {}): Line => ({
  ...{ kind: 'label', ...identity, stage, label: name, judge: 'majority', value, applicable: true },
  ...more,
});

/** One run that fails from m1 on: `facts` are further fields of its stages. */
function runSet(lines: readonly Line[], facts: readonly Line[] = []): RunSet {
  const stages = runLines({ task: 't', stages: '++ -+ -+ ++', chain: '-+' }).map((line) =>
    line.kind === 'stage' ? { ...line, ...facts[Number(line.stage)] } : line,
  );
  const [set] = assembleRunSets(readLines([...stages, ...lines]).lines);
  if (set === undefined) throw new Error('no set');
  return set;
}

function countsOf(set: RunSet): Record<string, string> {
  return Object.fromEntries(
    VERIFICATION_TABLES.flatMap((table) => table.metrics).map((metric) => {
      const { sum, of, unknown } = tallyRuns(set.runs, ['t'], metric.observe);
      return [metric.id, `${Math.round(sum * 100) / 100}/${of}${unknown > 0 ? ` ?${unknown}` : ''}`];
    }),
  );
}

describe('inheritance and awareness', () => {
  it('are shares of the stages to which the labels apply', () => {
    const lines = [
      label(1, 'inheritance', 'none'),
      label(2, 'inheritance', 'partial', { origin: 1 }),
      // After the failed m1 and m2; m3 has no say in inheritance, for it passed.
      label(2, 'priorAwareness', 'missed'),
      label(3, 'priorAwareness', 'fixed'),
      { kind: 'inheritance', ...identity, stage: 1, value: 'none', measurable: true },
      { kind: 'inheritance', ...identity, stage: 2, value: 'full', origin: 1, measurable: false },
    ];
    expect(countsOf(runSet(lines))).toMatchObject({
      'inherited-any': '1/2',
      'inherited-full': '0/2',
      'inherited-partial': '1/2',
      'inherited-runs': '1/1',
      'inherited-measured': '0/1 ?1',
      'missed-prior': '1/2',
      'fixed-of-noticed': '1/1',
    });
  });

  it('are unknown without labels, never none', () => {
    expect(countsOf(runSet([]))).toMatchObject({
      'inherited-any': '0/0 ?2',
      'inherited-runs': '0/0 ?1',
      'missed-prior': '0/0 ?2',
      'all-criteria': '0/0 ?4',
      'ends-green': '0/0 ?4',
    });
  });
});

describe('self-tests and criteria', () => {
  it('condition F2P on how the stage ended and on the gate before it', () => {
    const facts = [{ selfTest: 'passed' }, { selfTest: 'passed' }, { selfTest: 'failed' }, { selfTest: 'not-run' }];
    const criteria = ['all', 'all', 'some', 'none'].map((value, stage) => label(stage, 'criteriaAlignment', value));
    expect(countsOf(runSet(criteria, facts))).toMatchObject({
      'ends-green': '2/4',
      'f2p-green': '1/2',
      'f2p-red': '0/1',
      'f2p-green-after-passed': '0/1',
      'f2p-green-after-failed': '0/0',
      'f2p-red-after-failed': '0/1',
      'all-criteria': '2/4',
      'f2p-criteria-all': '1/2',
      'f2p-criteria-some': '0/1',
    });
  });
});

describe('suites that do not compile', () => {
  it('are counted among F2P failures, with what was missing', () => {
    const facts = [
      {},
      {
        failure: 'compile',
        interfaceMismatch: true,
        missingNames: [{ name: 'x', in: 'current-spec' }, { name: 'y', in: 'earlier-spec' }, { name: 'z' }],
      },
      { failure: 'tests' },
    ];
    expect(countsOf(runSet([], facts))).toMatchObject({
      'compile-failure': '1/2',
      'interface-mismatch': '1/1',
      'missing-in-current-spec': '1/2 ?1',
      'missing-in-earlier-spec': '1/2 ?1',
    });
  });
});

describe('context', () => {
  it('bins words over stages with all earlier passed, and compaction over measured later stages', () => {
    const calls = { toolCalls: { explore: 30, edit: 5, test: 4, build: 0, other: 0 } };
    const facts = [
      {},
      {
        cumulativeSpecWords: 1500,
        contextMeasured: true,
        compacted: false,
        ...calls,
        changedFiles: 4,
        revisitedFiles: 1,
      },
      {
        cumulativeSpecWords: 9000,
        contextMeasured: false,
        compacted: null,
        ...calls,
        changedFiles: 0,
        revisitedFiles: 0,
      },
      {
        cumulativeSpecWords: 9100,
        contextMeasured: true,
        compacted: true,
        ...calls,
        changedFiles: 2,
        revisitedFiles: 2,
      },
    ];
    expect(countsOf(runSet([], facts))).toMatchObject({
      'f2p-words-0': '0/0',
      'f2p-words-1500': '0/1',
      'f2p-words-8000': '0/0',
      'f2p-calls-0-whole': '0/1',
      'f2p-calls-0-compacted': '1/1',
      'f2p-calls-40-whole': '0/0',
      'file-revisiting': '1.25/2',
    });
  });
});

describe('resolvedLabel', () => {
  const resolved = (...lines: Line[]) => {
    const [run] = runSet(lines).runs;
    return run === undefined ? null : resolvedLabel(run, 1, 'inheritance');
  };
  const by = (judge: string, value: string | null, more: Line = {}): Line =>
    label(1, 'inheritance', value, { judge, ...more });

  it('takes the adjudicated word first, then the majority, then what most judges say', () => {
    expect(resolved(by('j1', 'full'), by('adjudicated', 'none'), by('majority', 'full'))).toEqual({
      value: 'none',
      origin: null,
    });
    expect(resolved(by('j1', 'full'), by('majority', 'partial'))).toEqual({ value: 'partial', origin: null });
    expect(resolved(by('j1', 'full'), by('j2', 'full'), by('j3', 'none'))).toEqual({ value: 'full', origin: null });
  });

  it('leaves undecided what all judges see differently, and counts neither rules nor the blind check', () => {
    expect(resolved(by('j1', 'full'), by('j2', 'partial'), by('j3', 'none'))).toBeNull();
    expect(resolved(by('rules', 'full'), by('human', 'full'))).toBeNull();
  });

  it('knows a label that does not apply from one that is unknown', () => {
    expect(resolved(by('majority', null, { applicable: false }))).toBe('not-applicable');
    expect(resolved(by('majority', null))).toBeNull();
  });
});
