import type { SuiteTest } from '#documents/suite.js';
import type { TestStatus } from '#documents/test-identity.js';
import { type Observation, type ObservedTest, steadyStatus } from './observation.js';

/** What one pair of neighbouring states shows about the tests of the later one. */
export interface StageEvidence {
  /** T_i on S_i, T_(i+1) on S_i, T_(i+1) on S_(i+1). */
  before: Observation;
  across: Observation;
  after: Observation;
  /** Text of a test as written in T_i and in T_(i+1), by id; null where it cannot be told apart from its file. */
  textBefore(id: string): string | null;
  textAfter(id: string): string | null;
}

export interface ClassifiedTest {
  id: string;
  observed: ObservedTest;
  kind: SuiteTest['kind'];
  why: SuiteTest['why'];
}

export interface Classification {
  tests: ClassifiedTest[];
  quarantined: { id: string; observed: ObservedTest; outcomes: TestStatus[]; why: string }[];
}

/**
 * F2P: fails or is absent before, passes after. P2P: passes on both states, or its text is unchanged, it passed before
 * the stage among its own tests, and only its neighbours kept its file from loading on the earlier code.
 * Only `pass` passes. A test that wavers in any observation that decides about it is quarantined with its outcomes.
 */
export function classifyTests(evidence: StageEvidence): Classification {
  const result: Classification = { tests: [], quarantined: [] };
  for (const [id, observed] of [...evidence.after.tests].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const across = evidence.across.tests.get(id);
    const wavering = [observed, across].find((test) => test !== undefined && steadyStatus(test) === null);
    if (wavering !== undefined) {
      const state = wavering === observed ? evidence.after.state : evidence.across.state;
      result.quarantined.push({ id, observed, outcomes: wavering.statuses, why: `wavers on reference state ${state}` });
      continue;
    }
    if (steadyStatus(observed) !== 'pass') continue;
    const kind = kindOf(id, observed, evidence);
    if (kind !== null) result.tests.push({ id, observed, ...kind });
  }
  return result;
}

function kindOf(
  id: string,
  observed: ObservedTest,
  evidence: StageEvidence,
): Pick<ClassifiedTest, 'kind' | 'why'> | null {
  const across = evidence.across.tests.get(id);
  if (steadyStatus(across) === 'pass') return { kind: 'p2p', why: null };
  const own = evidence.before.tests.get(id);
  const passedBefore = steadyStatus(own) === 'pass';
  if (passedBefore && sameText(id, evidence) && isCollateral(observed, across, evidence.across))
    return { kind: 'p2p', why: null };
  return { kind: 'f2p', why: own === undefined ? 'new' : 'changed' };
}

function sameText(id: string, evidence: StageEvidence): boolean {
  const before = evidence.textBefore(id);
  return before !== null && before === evidence.textAfter(id);
}

/** The test had no chance to speak on the earlier code: its file did not load, or ended before it. */
function isCollateral(observed: ObservedTest, across: ObservedTest | undefined, observation: Observation): boolean {
  const status = steadyStatus(across);
  if (status !== null && status !== 'missing' && status !== 'error') return false;
  const target = observation.targets.get(observed.key.file);
  return target === undefined || target.state !== 'ran';
}
