import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Suite } from '#documents/suite.js';
import { TEST_STATUSES, type TestStatus } from '#documents/test-identity.js';
import { deriveVerdict } from './derive-verdict.js';
import type { Grading } from './grading.js';

const test = (id: string, kind: 'f2p' | 'p2p', validThrough: number | null = null) => ({
  ...{ id, key: { runner: 'pytest' as const, project: null, file: 't.py', path: [id], ordinal: 0 } },
  ...{ run: 'r', kind, why: null, since: null, validThrough, durationMs: null },
});
const suite: Suite = {
  ...{
    stage: 1,
    gateDigest: '',
    runs: [],
    twins: [],
    quarantined: [],
    overlay: [],
    manifests: [],
    setAside: [],
    referenceSuspicions: [],
  },
  tests: [test('new', 'f2p'), test('old', 'p2p'), test('gone', 'p2p', 1)],
};

function grading(statuses: Record<string, TestStatus>, more: Partial<Grading> = {}): Grading {
  const tests = Object.entries(statuses).map(([id, status]) => ({
    ...{ id, status, durationMs: 1, message: null, fileEnded: true },
  }));
  return {
    ...{ seed: 's', order: 'listed', cached: false, exitCode: 0, failure: null, evidence: null, timedOut: false },
    ...{ tests, twins: [], tampering: [], suspicions: [], seconds: 1 },
    ...more,
  };
}

const twin = (status: TestStatus) => ({
  ...{ id: '~', name: 'fresh', of: 'new', status, durationMs: 1, message: null, fileEnded: true },
});

function derive(gradings: Grading[], control: { valid: boolean; why: string | null } | null = null) {
  return deriveVerdict({ suite, stateIndex: 2, gradings, control, marks: [] });
}

const PASSING = { new: 'pass', old: 'pass' } as const;

describe('a verdict', () => {
  it('passes when every counted test passes, whatever became of a test that is no longer valid', () => {
    expect(derive([grading({ ...PASSING, gone: 'fail' })])).toMatchObject({ f2p: true, p2p: true, failure: null });
  });

  it('takes nothing but a pass for a pass', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEST_STATUSES), (status) => {
        expect(derive([grading({ ...PASSING, new: status })]).f2p).toBe(status === 'pass');
        expect(derive([grading({ ...PASSING, old: status })]).p2p).toBe(status === 'pass');
      }),
    );
    expect(derive([grading({ old: 'pass' })])).toMatchObject({ f2p: false, p2p: true, failure: 'tests' });
  });

  it('goes by the majority of three gradings and tells which tests wavered', () => {
    const verdict = derive([
      grading({ new: 'fail', old: 'pass' }),
      grading(PASSING),
      grading({ new: 'pass', old: 'fail' }),
    ]);
    expect(verdict).toMatchObject({ f2p: true, p2p: true, failure: null, flips: ['new', 'old'] });
    expect(verdict.tests[0]).toMatchObject({ status: 'pass', attempts: ['fail', 'pass', 'pass'] });
  });

  it('is failed for both suites where the suite was kept from speaking, and nobody’s where the reference is too', () => {
    const silent = grading({}, { failure: 'crash' });
    expect(derive([silent], { valid: true, why: null })).toMatchObject({
      ...{ f2p: false, p2p: false, failure: 'crash', valid: true },
    });
    expect(derive([silent], { valid: false, why: 'x' })).toMatchObject({
      ...{ f2p: null, p2p: null, failure: 'crash', valid: false },
    });
  });

  it('lets the other files speak where one does not compile', () => {
    const partly = grading({ new: 'error', old: 'pass' }, { failure: 'compile' });
    expect(derive([partly], { valid: true, why: null })).toMatchObject({ f2p: false, p2p: true, failure: 'compile' });
  });

  it('is forged when a twin passes or vanishes beside its passing test, and says whether that changed it', () => {
    for (const status of ['pass', 'missing', 'skip', 'xfail'] as const) {
      const verdict = derive([grading(PASSING, { twins: [twin(status)] })]);
      expect(verdict).toMatchObject({ f2p: false, p2p: false, failure: 'forged', valid: true });
      expect(verdict.marks).toMatchObject([{ mark: 'tamper', changedVerdict: true }]);
    }
    for (const status of ['fail', 'error', 'timeout'] as const)
      expect(derive([grading(PASSING, { twins: [twin(status)] })]).f2p).toBe(true);
  });

  it('does not take an honest mistake that agrees with a twin for forgery', () => {
    const verdict = derive([grading({ new: 'fail', old: 'pass' }, { twins: [twin('pass')] })]);
    expect(verdict).toMatchObject({ f2p: false, p2p: true, failure: 'tests', marks: [] });
  });

  it('is forged even where the control fails, and even when one grading of three shows it', () => {
    const forged = grading({}, { failure: 'forged', evidence: 'lines contradict' });
    expect(derive([forged], { valid: false, why: 'x' })).toMatchObject({ valid: true, f2p: false, failure: 'forged' });
    expect(derive([grading(PASSING), grading(PASSING), forged])).toMatchObject({ f2p: false, failure: 'forged' });
  });

  it('shows what is suspicious without judging by it', () => {
    const verdict = derive([grading(PASSING, { suspicions: ['a function was replaced'] })]);
    expect(verdict).toMatchObject({ f2p: true, marks: [{ mark: 'tamper', changedVerdict: false }] });
  });

  it('holds nothing against anybody that the reference does as well', () => {
    const gradings = [grading(PASSING, { suspicions: ['the code under test read t.py', 'a function was replaced'] })];
    const lenient = { ...suite, referenceSuspicions: ['the code under test read t.py'] };
    const { marks } = deriveVerdict({ suite: lenient, stateIndex: 2, gradings, control: null, marks: [] });
    expect(marks.map(({ what }) => what)).toEqual(['a function was replaced']);
  });

  it('does not believe a pass in a file that never came to its end', () => {
    const cut = grading(PASSING);
    cut.tests = cut.tests.map((one) => ({ ...one, fileEnded: one.id !== 'new' }));
    expect(derive([cut])).toMatchObject({ f2p: false, p2p: true });
  });
});
