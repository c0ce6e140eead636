import type { ManifestMerge, Suite, SuiteTest, SuiteTwin } from '#documents/suite.js';
import { testId } from '#documents/test-identity.js';
import { keyOfText, type TreeFiles } from '#git/index.js';
import { runnerNamed } from '#testbed/index.js';
import type { Classification } from './classify-tests.js';
import { type Observation, steadyStatus } from './observation.js';
import type { SuiteBench } from './run-on-tree.js';

/** A suite with the bytes that belong to it, before it is written and its digest is known. */
export interface SuiteParts {
  suite: Omit<Suite, 'gateDigest'>;
  /** Files of `tests/`. */
  tests: TreeFiles;
  /** Files of `manifests/`. */
  manifests: TreeFiles;
}

export interface AssembleRequest {
  bench: SuiteBench;
  stage: number | 'chain';
  /** Index of the reference state that the suite belongs to. */
  stateIndex: number;
  state: TreeFiles;
  files: string[];
  isSuiteFile(path: string): boolean;
  classification: Classification;
  twins: SuiteTwin[];
  referenceSuspicions: string[];
  since(id: string): SuiteTest['since'];
  validThrough(id: string): number;
}

/** Puts a stage's suite together: tests with their kinds, twins, the files laid over, the manifests merged by field. */
export function assembleSuite(request: AssembleRequest): SuiteParts {
  const { bench, classification, state, isSuiteFile } = request;
  const run = 'main';
  const tests: SuiteTest[] = classification.tests.map(({ id, observed, kind, why }) => ({
    ...{ id, key: observed.key, run, kind, why },
    since: kind === 'p2p' ? request.since(id) : null,
    validThrough: request.validThrough(id),
    durationMs: observed.durationMs,
  }));
  const overlay: TreeFiles = new Map(
    [...state].filter(([path]) => isSuiteFile(path)).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const manifests = mergedManifests(bench, state);
  const filesWithTests = new Set(tests.map((test) => test.key.file));
  return {
    suite: {
      stage: request.stage,
      runs: [
        {
          id: run,
          runner: bench.runner,
          cwd: '',
          project: null,
          files: request.files.filter((file) => filesWithTests.has(file)),
          timeoutMs: bench.timeoutMs,
          perTestTimeoutMs: bench.perTestTimeoutMs,
        },
      ],
      tests,
      twins: request.twins,
      quarantined: classification.quarantined.map(({ id, observed, outcomes, why }) => ({
        id,
        key: observed.key,
        outcomes,
        why,
      })),
      overlay: [...overlay.keys()],
      manifests: manifests.rows,
      setAside: runnerNamed(bench.runner).testFilePatterns.map((pattern) => pattern.source),
      referenceSuspicions: request.referenceSuspicions,
    },
    tests: overlay,
    manifests: manifests.files,
  };
}

function mergedManifests(bench: SuiteBench, state: TreeFiles): { rows: ManifestMerge[]; files: TreeFiles } {
  const rows: ManifestMerge[] = [];
  const files: TreeFiles = new Map();
  for (const [name, { format, fields }] of Object.entries(runnerNamed(bench.runner).steeringFields)) {
    const path = keyOfText(name);
    const file = state.get(path);
    if (file === undefined) continue;
    rows.push({ path, format, fields: fields.map((field) => [...field]) });
    files.set(path, file);
  }
  return { rows, files };
}

/** Where each test's life begins and ends, told from the states' own observations. */
export function testLives(own: readonly Observation[], textOf: readonly ((id: string) => string | null)[]) {
  const passesOn = (id: string, index: number): boolean => steadyStatus(own[index]?.tests.get(id)) === 'pass';
  const sameText = (id: string, one: number, other: number): boolean => textOf[one]?.(id) === textOf[other]?.(id);
  return {
    /** `base` where the test as it is now passed on S_0, else the stage that brought this text. */
    since: (id: string, stateIndex: number): SuiteTest['since'] => {
      let first = stateIndex;
      while (first > 0 && passesOn(id, first - 1) && sameText(id, first - 1, stateIndex)) first -= 1;
      return first === 0 ? 'base' : first - 1;
    },
    /** The last state on which the test as it is now still passes. */
    validThrough: (id: string, stateIndex: number): number => {
      let last = stateIndex;
      while (last + 1 < own.length && passesOn(id, last + 1) && sameText(id, last + 1, stateIndex)) last += 1;
      return last;
    },
  };
}

/** Ids of the tests that an observation saw, for looking their texts up. */
export function keysOf(observations: readonly Observation[]) {
  const keys = new Map(
    observations.flatMap((observation) =>
      [...observation.tests.values()].map((test) => [testId(test.key), test.key] as const),
    ),
  );
  return keys.values();
}
