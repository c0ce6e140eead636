import { type TestKey, type TestStatus, testId } from '#documents/test-identity.js';
import type { SuiteRunResult, TestResult } from './contract.js';

export interface Reconciled {
  /** One result for each expected test, in the order expected; `missing` where the run does not know it. */
  tests: { id: string; status: TestStatus; result: TestResult | null }[];
  /** Ids of tests that ran without being expected. */
  unexpected: string[];
  /** Ids reported more than once: none of their results counts. */
  contradicted: string[];
}

/** Holds a run against the list of tests that it must speak of: each has exactly one status, absence is `missing`. */
export function reconcile(expected: readonly TestKey[], result: SuiteRunResult): Reconciled {
  const found = new Map<string, TestResult[]>();
  for (const test of result.tests) {
    const id = testId(test.key);
    found.set(id, [...(found.get(id) ?? []), test]);
  }
  const wanted = new Set(expected.map(testId));
  const contradicted = [...found].filter(([, results]) => results.length > 1).map(([id]) => id);
  const tests = [...wanted].map((id) => {
    const results = found.get(id) ?? [];
    const [only] = results;
    if (only === undefined) return { id, status: 'missing' as const, result: null };
    return results.length === 1
      ? { id, status: only.status, result: only }
      : { id, status: 'error' as const, result: null };
  });
  return { tests, unexpected: [...found.keys()].filter((id) => !wanted.has(id)), contradicted };
}
