import type { Suite } from '#documents/suite.js';
import type { TreeFiles } from '#git/index.js';
import type { SuitePlace, TaskPackage } from '#store/index.js';
import { composeTree } from './compose-tree.js';
import { type Control, deriveVerdict } from './derive-verdict.js';
import type { CacheKey, GradingCache } from './grading-cache.js';
import { type GradingPlace, type RanGrading, runGrading } from './run-grading.js';

export interface ControlParts {
  request: { package: TaskPackage; stage: SuitePlace };
  suite: Suite;
  /** Reference states; the last is the one that the suite belongs to. */
  states: readonly TreeFiles[];
}

/**
 * Grades the reference with the same suite in the same place: where it fails too, the fault is the grader's and nobody's
 * verdict. Kept in the cache when valid.
 */
export async function gradeReference(
  place: GradingPlace,
  cache: GradingCache,
  { request, suite, states }: ControlParts,
  grader: string,
): Promise<Control> {
  const { repository } = place;
  const composed = await composeTree({
    ...{ repository, suite, states, files: await request.package.suiteFiles(request.stage) },
    snapshot: states.at(-1) ?? new Map(),
    installed: [],
  });
  const key: CacheKey = {
    gradedTree: composed.tree,
    gateDigest: suite.gateDigest,
    environment: place.environment.digest,
    grader,
    sandbox: place.sandbox.kind,
    limits: place.sandbox.limits,
    seed: 'control',
    twins: false,
  };
  if ((await cache.find(key)) !== null) return { valid: true, why: null };
  let why = '';
  // Once more where it fails: a busy machine is no reason to call a grading invalid.
  for (let tries = 0; tries < 2; tries += 1) {
    const ran = await runGrading(place, {
      ...{ suite, tree: composed.files, twins: [], seed: 'control', order: { kind: 'listed' as const } },
    });
    const failed = whatFails(suite, states.length - 1, ran);
    if (failed === null) {
      await cache.keep(key, ran);
      return { valid: true, why: null };
    }
    why = failed;
  }
  return { valid: false, why };
}

function whatFails(suite: Suite, stateIndex: number, { grading }: RanGrading): string | null {
  const derived = deriveVerdict({ suite, stateIndex, gradings: [grading], control: null, marks: [] });
  if (derived.failure === null) return null;
  const failing = derived.tests.filter((test) => test.status !== 'pass').map((test) => `${test.id} ${test.status}`);
  const more = failing.length > 3 ? ` and ${failing.length - 3} more` : '';
  return `the reference itself: ${derived.failure}; ${failing.slice(0, 3).join(', ')}${more}${grading.evidence === null ? '' : `; ${grading.evidence}`}`;
}
