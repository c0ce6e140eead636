import { describe, expect, it } from 'vitest';
import { makePastGroup } from '../../../../test/support/make-past-group.js';
import type { QuestionEvidence, ReviewQuestion } from '../chains.js';
import type { PastGroup } from '../past.js';
import { reviewByRules } from './review-by-rules.js';

function question(stages: PastGroup[], more: Partial<ReviewQuestion> = {}): ReviewQuestion {
  const all = [...stages, ...(more.neighbours ?? [])];
  return {
    feature: 'ranges',
    symbols: ['NumberRange'],
    stages: stages.map((group) => [group]),
    evidence: all.slice(1).map((group) => tie(all[0] as PastGroup, group)),
    neighbours: [],
    affinity: new Map(all.map(({ id }) => [id, 0.9])),
    worth: new Map(all.map(({ id }) => [id, 0.9])),
    minStages: 2,
    maxStages: 10,
    ...more,
  };
}

const tie = (from: PastGroup, to: PastGroup): QuestionEvidence => ({
  id: `e${from.index}-${to.index}-files`,
  from: from.id,
  to: to.id,
  type: 'files',
  weight: 0.3,
  explanation: 'both change src/a.py',
});

const SOURCE = (lineage: number): PastGroup['files'] => [
  { lineage, path: `src/${lineage}.py`, role: 'source', status: 'modified', addedLines: 9, removedLines: 0 },
];

describe('chain review by rules', () => {
  it('drops what is not about the feature and what extends nothing, and says which of both', async () => {
    const [a, b, off, plain] = [0, 1, 2, 3].map((index) => makePastGroup(index));
    if (a === undefined || b === undefined || off === undefined || plain === undefined) throw new Error('four groups');
    const { stages, decisions } = await reviewByRules.review(
      question([a, b, off, plain], {
        affinity: new Map([
          [a.id, 0.9],
          [b.id, 0.9],
          [off.id, 0.1],
          [plain.id, 0.9],
        ]),
        worth: new Map([
          [a.id, 0.9],
          [b.id, 0.9],
          [off.id, 0.9],
          [plain.id, 0.3],
        ]),
      }),
    );
    expect(stages).toEqual([[a.id], [b.id]]);
    const why = new Map(decisions.map((decision) => [decision.group, decision]));
    expect(why.get(off.id)).toMatchObject({ action: 'drop', why: expect.stringContaining('about the feature') });
    expect(why.get(plain.id)).toMatchObject({ action: 'drop', why: expect.stringContaining('extends nothing') });
  });

  it('adds a neighbour that is as much about the feature, in its place in history, and cites evidence', async () => {
    const [first, missing, last] = [makePastGroup(0), makePastGroup(5), makePastGroup(9)];
    const { stages, decisions } = await reviewByRules.review(question([first, last], { neighbours: [missing] }));
    expect(stages).toEqual([[first.id], [missing.id], [last.id]]);
    const added = decisions.find(({ group }) => group === missing.id);
    expect(added).toMatchObject({ action: 'add', cites: [tie(first, missing).id] });
  });

  it('moves a small fix that follows soon into the stage before it', async () => {
    const stage = makePastGroup(0, { sourceLinesAdded: 100 });
    const fix = makePastGroup(3, { intent: 'fix', sourceLinesAdded: 4 });
    const later = makePastGroup(200);
    const { stages, decisions } = await reviewByRules.review(question([stage, fix, later]));
    expect(stages).toEqual([[stage.id, fix.id], [later.id]]);
    expect(decisions.find(({ group }) => group === fix.id)?.action).toBe('move');
  });

  it('keeps only stages that change files of earlier ones or call what they define', async () => {
    const define = makePastGroup(0, {
      files: SOURCE(1),
      definitions: [
        {
          key: 'k',
          name: 'clamp',
          qualifiedName: 'clamp',
          kind: 'function',
          change: 'added',
          path: 'src/1.py',
          lineage: 1,
          exported: true,
          inTest: false,
        },
      ],
    });
    const calls = makePastGroup(1, { files: SOURCE(2), calls: new Map([['clamp', 1]]) });
    const alone = makePastGroup(2, { files: SOURCE(3) });
    const { stages } = await reviewByRules.review(question([define, calls, alone]));
    expect(stages).toEqual([[define.id], [calls.id]]);
  });

  it('keeps no stage that nothing ties to the stages before it', async () => {
    const [first, tied, loose] = [makePastGroup(0), makePastGroup(1), makePastGroup(2)];
    const { stages, decisions } = await reviewByRules.review(
      question([first, tied, loose], { evidence: [tie(first, tied)] }),
    );
    expect(stages).toEqual([[first.id], [tied.id]]);
    expect(decisions.find(({ group }) => group === loose.id)?.why).toContain('no evidence');
  });

  it('leaves the fixes out of a long feature', async () => {
    const sure = [0, 1, 2, 3].map((index) => makePastGroup(index));
    const fix = makePastGroup(4, { intent: 'fix' });
    const worth = new Map([...sure, fix].map(({ id }) => [id, id === fix.id ? 0.6 : 0.95]));
    const ask = async (stages: PastGroup[]) => (await reviewByRules.review(question(stages, { worth }))).stages;
    expect(await ask([...sure, fix])).toEqual(sure.map(({ id }) => [id]));
    expect(await ask([...sure.slice(0, 2), fix])).toEqual([...sure.slice(0, 2), fix].map(({ id }) => [id]));
  });

  it('adds the less likely extension only where it is the more surely about the feature, and no more than there were', async () => {
    const [first, second] = [makePastGroup(0), makePastGroup(1)];
    const outside = [2, 3, 4].map((index) => makePastGroup(index));
    const ask = async (likeness: number, likely: number) => {
      const of = (value: number) =>
        new Map([first, second, ...outside].map((group) => [group.id, outside.includes(group) ? value : 0.9]));
      const more = { neighbours: outside, affinity: of(likeness), worth: of(likely) };
      return (await reviewByRules.review(question([first, second], more))).stages.length;
    };
    expect(await ask(0.7, 0.9)).toBe(4);
    expect(await ask(0.7, 0.4)).toBe(2);
    expect(await ask(0.99, 0.5)).toBe(4);
    expect(await ask(0.99, 0.2)).toBe(2);
  });

  it('puts an extension without tests into the stage that follows it, and into no stage that has one already', async () => {
    const [before, plain, another, stage, last] = [0, 1, 2, 3, 4].map((index) => makePastGroup(index)) as [
      PastGroup,
      PastGroup,
      PastGroup,
      PastGroup,
      PastGroup,
    ];
    const worth = new Map([before, plain, another, stage, last].map(({ id }) => [id, 0.9]));
    for (const { id } of [plain, another, last]) worth.set(id, 0);
    const { stages, decisions } = await reviewByRules.review(
      question([before, stage], { neighbours: [plain, another, last], worth }),
    );
    expect(stages).toEqual([[before.id], [plain.id, stage.id]]);
    expect(decisions.find(({ group }) => group === plain.id)).toMatchObject({
      action: 'add',
      why: expect.stringContaining('without tests'),
    });
  });

  it('finds no chain where fewer stages are left than were asked for', async () => {
    const { stages, summary } = await reviewByRules.review(
      question([makePastGroup(0), makePastGroup(1)], { minStages: 3 }),
    );
    expect(stages).toEqual([]);
    expect(summary).toContain('2');
  });
});
