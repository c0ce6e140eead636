import type { Validation } from '#documents/provenance.js';
import type { StateAssertion } from './references/index.js';

/**
 * A test that passes on the last state and fails on the state that it was taken from tells that removal broke that
 * state. A few such tests are later work's own use of the feature; more than this share are a broken state.
 */
const BROKEN_SHARE = 0.05;
/** So few are never a broken state. */
const BROKEN_FEW = 2;

/** The tests of every state pass on that state, told from the observations: rows for provenance.json. */
export function ownTestsPass(observations: Validation['observations'], states: number): StateAssertion[] {
  const passing = (state: number): { passes: Set<string>; all: Set<string> } => {
    const repeats = observations.filter((one) => one.testsOf === state && one.state === state);
    const all = new Set(repeats.flatMap((one) => Object.keys(one.results)));
    const passes = [...all].filter((id) => repeats.every((one) => one.results[id]?.status === 'pass'));
    return { passes: new Set(passes), all };
  };
  const last = passing(states - 1).passes;
  return Array.from({ length: states - 1 }, (_, state) => {
    const { passes, all } = passing(state);
    const broken = [...all].filter((id) => last.has(id) && !passes.has(id));
    const holds = broken.length <= BROKEN_FEW || broken.length <= BROKEN_SHARE * all.size;
    const named =
      broken.length === 0
        ? ''
        : `, not ${broken.slice(0, 5).join('; ')}${broken.length > 5 ? ` and ${broken.length - 5} more` : ''}`;
    return {
      name: 'own-tests-pass',
      state,
      holds,
      evidence: `${passes.size} of ${all.size} test(s) of the state pass on it${named}`,
    };
  });
}
