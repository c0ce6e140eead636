import type { Validation } from '#documents/provenance.js';
import type { StateAssertion } from './references/index.js';

/** So many tests of files that no stage touches may be later work's own use of the feature; more are a broken state. */
const FOREIGN_USES = 3;

/**
 * The tests of every state pass on that state, told from the observations: rows for provenance.json. A test that passes
 * on the last state and fails on the state that it was taken from tells that removal broke that state.
 * @param touched tells whether a stage changes the test's file
 */
export function ownTestsPass(
  observations: Validation['observations'],
  states: number,
  touched: (testId: string) => boolean,
): StateAssertion[] {
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
    const holds = !broken.some(touched) && broken.length <= FOREIGN_USES;
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
