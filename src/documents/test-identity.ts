import { z } from 'zod';

export const RUNNERS = ['node-test', 'pytest', 'vitest'] as const;
export const runnerNames = z.enum(RUNNERS);
export type RunnerName = z.infer<typeof runnerNames>;

/** Who a test is. All strings verbatim from the runner; `file` is a path key (see kernel/bytes) relative to the workspace. */
export const testKey = z.object({
  runner: runnerNames,
  /** Workspace project, package or binary where one run has several; else null. */
  project: z.string().nullable(),
  file: z.string(),
  /** Suite titles from the outside in, the test's own title last. */
  path: z.array(z.string()).min(1),
  /** Among tests of equal file and path, in order of appearance. */
  ordinal: z.number().int().nonnegative(),
});
export type TestKey = z.infer<typeof testKey>;

/** One string per test, reversible and the same in every document: `tests/test_a.py::["TestX","test_y[a b]"]#1`. */
export function testId(key: TestKey): string {
  const project = key.project === null ? '' : `{${JSON.stringify(key.project)}}`;
  return `${project}${key.file}::${JSON.stringify(key.path)}${key.ordinal === 0 ? '' : `#${key.ordinal}`}`;
}

/** Only `pass` passes, in F2P and in P2P (reference: cross-runner policy). */
export const TEST_STATUSES = [
  'pass',
  'fail',
  'error',
  'skip',
  'xfail',
  'xpass',
  'todo',
  'timeout',
  'crash',
  'missing',
] as const;
export const testStatuses = z.enum(TEST_STATUSES);
export type TestStatus = z.infer<typeof testStatuses>;
