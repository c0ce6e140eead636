import { describe, expect, it } from 'vitest';
import type { TestKey, TestStatus } from '#documents/test-identity.js';
import { testId } from '#documents/test-identity.js';
import type { SuiteRunResult, TestResult } from './contract.js';
import { reconcile } from './reconcile.js';

function key(title: string, ordinal = 0): TestKey {
  return { runner: 'vitest', project: null, file: 'a.test.ts', path: ['s', title], ordinal };
}

function test(title: string, status: TestStatus, ordinal = 0): TestResult {
  return { key: key(title, ordinal), status, raw: title, durationMs: null, message: null };
}

function run(tests: TestResult[]): SuiteRunResult {
  return {
    tests,
    targets: [],
    failure: null,
    evidence: null,
    suspicions: [],
    exitCode: 0,
    timedOut: false,
    output: Buffer.alloc(0),
    durationMs: 0,
  };
}

describe('reconcile', () => {
  it('gives every expected test exactly one status, in the order expected; absence is missing', () => {
    const { tests } = reconcile(
      [key('b'), key('a'), key('gone'), key('a', 1)],
      run([test('a', 'pass'), test('b', 'fail')]),
    );
    expect(tests.map(({ status }) => status)).toEqual(['fail', 'pass', 'missing', 'missing']);
    expect(tests.map(({ id }) => id)).toEqual([key('b'), key('a'), key('gone'), key('a', 1)].map(testId));
  });

  it('names what nobody expected', () => {
    expect(reconcile([], run([test('a', 'pass')])).unexpected).toEqual([testId(key('a'))]);
  });

  it('lets no result count for a test that was reported twice, whatever the results', () => {
    const { tests, contradicted } = reconcile([key('a')], run([test('a', 'pass'), test('a', 'pass')]));
    expect(tests[0]).toMatchObject({ status: 'error', result: null });
    expect(contradicted).toEqual([testId(key('a'))]);
  });
});
