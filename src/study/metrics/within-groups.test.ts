import { describe, expect, it } from 'vitest';
import { readLines, runLines } from '../../../test/support/result-lines.js';
import { assembleRunSets } from './assemble-run-sets.js';
import { splitByPreviousGate } from './compare-previous-gate.js';
import { tallyWithinGroups } from './within-groups.js';

describe('tallyWithinGroups', () => {
  it('keeps groups of one task and stage that hold both conditions and weighs them equally', () => {
    const [set] = assembleRunSets(
      readLines(
        [
          // t, m1: after passed 1 of 2, after failed 0 of 1.
          { agent: 'a', task: 't', stages: '++ ++', chain: '++' },
          { agent: 'b', task: 't', stages: '++ -+', chain: '-+' },
          { agent: 'c', task: 't', stages: '-+ -+', chain: '-+' },
          // u, m1: after passed 1 of 1, after failed 1 of 2.
          { agent: 'a', task: 'u', stages: '++ ++', chain: '++' },
          { agent: 'b', task: 'u', stages: '-+ ++', chain: '-+' },
          { agent: 'c', task: 'u', stages: '-+ -+', chain: '-+' },
          // v holds one condition only.
          { agent: 'a', task: 'v', stages: '++ ++', chain: '++' },
        ].flatMap(runLines),
      ).lines,
    );
    const { left, right, groups } = tallyWithinGroups(set?.runs ?? [], ['t', 'u', 'v'], splitByPreviousGate);
    expect(groups).toBe(2);
    expect(left).toMatchObject({ numerators: [0.5, 1, 0], denominators: [1, 1, 0], sum: 2, of: 3 });
    expect(right).toMatchObject({ numerators: [0, 0.5, 0], denominators: [1, 1, 0], sum: 1, of: 3 });
  });
});
