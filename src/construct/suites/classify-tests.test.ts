import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEST_STATUSES, type TestStatus, testId } from '#documents/test-identity.js';
import { classifyTests, type StageEvidence } from './classify-tests.js';
import type { Observation } from './observation.js';

const FILE = 'test/a.test.js';
const keyOf = (name: string) => ({ runner: 'node-test' as const, project: null, file: FILE, path: [name], ordinal: 0 });

function observation(statuses: Record<string, TestStatus[]>, loaded = true): Observation {
  const tests = new Map(
    Object.entries(statuses).map(([name, seen]) => [
      testId(keyOf(name)),
      { key: keyOf(name), raw: name, statuses: seen, durationMs: null },
    ]),
  );
  const state = loaded ? ('ran' as const) : ('collect-failed' as const);
  return {
    testsOf: 0,
    state: 0,
    tests,
    targets: new Map([[FILE, { file: FILE, state, message: null }]]),
    suspicions: new Set(),
    repeats: [],
  };
}

function evidence(parts: Partial<StageEvidence>): StageEvidence {
  const none = observation({});
  return { before: none, across: none, after: none, textBefore: () => null, textAfter: () => null, ...parts };
}

const kinds = (stage: StageEvidence) =>
  classifyTests(stage).tests.map(({ observed, kind, why }) => [observed.raw, kind, why]);

describe('classifying tests by three observations', () => {
  it('takes a test that is absent before and passes after as new F2P', () => {
    expect(
      kinds(evidence({ across: observation({ a: ['fail', 'fail'] }), after: observation({ a: ['pass', 'pass'] }) })),
    ).toEqual([['a', 'f2p', 'new']]);
  });

  it('takes a test that was there and fails on the earlier code as changed F2P', () => {
    const stage = evidence({
      before: observation({ a: ['pass'] }),
      across: observation({ a: ['fail'] }),
      after: observation({ a: ['pass'] }),
    });
    expect(kinds(stage)).toEqual([['a', 'f2p', 'changed']]);
  });

  it('keeps an unchanged test as P2P where only its neighbours kept the file from loading', () => {
    const parts = {
      before: observation({ a: ['pass'] }),
      across: observation({}, false),
      after: observation({ a: ['pass'] }),
    };
    expect(kinds(evidence({ ...parts, textBefore: () => 'same', textAfter: () => 'same' }))).toEqual([
      ['a', 'p2p', null],
    ]);
    expect(kinds(evidence({ ...parts, textBefore: () => 'old', textAfter: () => 'new' }))).toEqual([
      ['a', 'f2p', 'changed'],
    ]);
  });

  it('does not excuse an unchanged test that ran and failed', () => {
    const parts = {
      before: observation({ a: ['pass'] }),
      across: observation({ a: ['fail'] }),
      after: observation({ a: ['pass'] }),
    };
    expect(kinds(evidence({ ...parts, textBefore: () => 'same', textAfter: () => 'same' }))).toEqual([
      ['a', 'f2p', 'changed'],
    ]);
  });

  it('quarantines a test that wavers, with its outcomes', () => {
    const stage = evidence({ after: observation({ a: ['pass', 'fail', 'pass'] }) });
    expect(classifyTests(stage)).toMatchObject({ tests: [], quarantined: [{ outcomes: ['pass', 'fail', 'pass'] }] });
  });

  it('counts nothing but pass as passing, never puts a test into two classes', () => {
    const statuses = fc.array(fc.constantFrom(...TEST_STATUSES), { minLength: 3, maxLength: 3 });
    const observed = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), statuses).map((held) => observation(held));
    fc.assert(
      fc.property(observed, observed, observed, (before, across, after) => {
        const { tests, quarantined } = classifyTests(
          evidence({ before, across, after, textBefore: () => 'x', textAfter: () => 'x' }),
        );
        const ids = [...tests.map((test) => test.id), ...quarantined.map((test) => test.id)];
        expect(new Set(ids).size).toBe(ids.length);
        for (const test of tests) {
          expect(new Set(test.observed.statuses)).toEqual(new Set(['pass']));
          if (test.kind === 'f2p') expect(across.tests.get(test.id)?.statuses ?? []).not.toContain('pass');
        }
      }),
    );
  });
});
