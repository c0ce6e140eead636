import type { RunnerName } from '#documents/test-identity.js';
import { classifyPath } from '#languages/index.js';
import { runnerNamed } from '#testbed/index.js';

/** Tells which files of a state belong to its hidden suite: tests, what they read, and what steers the runner. */
export function suiteFileRule(runner: RunnerName): (path: string) => boolean {
  const { testFilePatterns, steeringFilePatterns } = runnerNamed(runner);
  const patterns = [...testFilePatterns, ...steeringFilePatterns];
  return (path) =>
    patterns.some((pattern) => pattern.test(path)) || classifyPath(path) === 'test' || classifyPath(path) === 'fixture';
}
