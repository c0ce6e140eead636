import { describe, expect, it } from 'vitest';
import type { PastGroup, ReviewQuestion } from './chains/index.js';
import { chainReviewRole } from './review-by-model.js';

const group = (id: string): PastGroup => ({ id, title: id, commits: [id] }) as PastGroup;
const edge = (id: string, from: string, to: string) => ({
  id,
  from,
  to,
  type: 'files' as const,
  weight: 1,
  explanation: '',
});

const question: ReviewQuestion = {
  feature: 'Slugs',
  symbols: ['slug'],
  stages: [[group('g-a')], [group('g-b')], [group('g-c')]],
  evidence: [edge('e1', 'g-a', 'g-b'), edge('e2', 'g-b', 'g-c'), edge('e3', 'g-a', 'g-n')],
  neighbours: [group('g-n'), group('g-lone'), group('g-untested')],
  affinity: new Map(),
  worth: new Map([['g-untested', 0]]),
  minStages: 2,
  maxStages: 3,
};

type Decision = Parameters<typeof chainReviewRole.problemsOf>[0]['decisions'][number];
const say = (text: string): Decision => {
  const [action = '', id = '', ...cites] = text.split(' ');
  return { action: action as Decision['action'], group: id, why: 'so', cites };
};

function problems(stages: string, ...decisions: string[]): string[] {
  const answer = { feature: 'Slugs', summary: 'ok', decisions: decisions.map(say) };
  const parted = stages === '' ? [] : stages.split(' ').map((stage) => stage.split('+'));
  return chainReviewRole.problemsOf({ ...answer, stages: parted }, question);
}

describe('an answer of a reviewing model', () => {
  it.each([
    ['keeps all', 'g-a g-b g-c', ['keep g-a e1', 'keep g-b e1 e2', 'keep g-c e2']],
    ['moves a group into an earlier stage', 'g-a g-b+g-c', ['keep g-a e1', 'keep g-b e1', 'move g-c e2']],
    ['drops one and adds a neighbour', 'g-a g-b g-n', ['keep g-a e1', 'keep g-b e1', 'drop g-c e2', 'add g-n e3']],
    ['drops everything', '', ['drop g-a e1', 'drop g-b e1', 'drop g-c e2']],
    [
      'adds one that no evidence is about, without any',
      'g-a g-b g-lone',
      ['keep g-a e1', 'keep g-b e1', 'drop g-c e2', 'add g-lone'],
    ],
    [
      'puts a neighbour without tests into a stage that has some',
      'g-a g-untested+g-b g-c',
      ['keep g-a e1', 'keep g-b e1', 'keep g-c e2', 'add g-untested'],
    ],
  ])('is valid where it %s', (_title, stages, decisions) => {
    expect(problems(stages, ...decisions)).toEqual([]);
  });

  it.each([
    [
      'names an unknown group',
      'g-a g-x',
      ['keep g-a e1', 'drop g-b e1', 'drop g-c e2', 'add g-x e1'],
      /no group is called g-x/,
    ],
    [
      'cites unknown evidence',
      'g-a g-b',
      ['keep g-a e1', 'keep g-b e1 e99', 'drop g-c e2'],
      /e99, which is no evidence/,
    ],
    ['cites nothing', 'g-a g-b', ['keep g-a', 'keep g-b e1', 'drop g-c e2'], /g-a cites no evidence/],
    ["cites only others' evidence", 'g-a g-b', ['keep g-a e2', 'keep g-b e1', 'drop g-c e2'], /g-a cites no evidence/],
    ['forgets a group', 'g-a g-b', ['keep g-a e1', 'keep g-b e1'], /none for group g-c/],
    ['decides twice', 'g-a g-b', ['keep g-a e1', 'keep g-b e1', 'drop g-c e2', 'drop g-c e2'], /decided on twice/],
    ['drops what it keeps', 'g-a g-b', ['drop g-a e1', 'keep g-b e1', 'drop g-c e2'], /drop of g-a does not fit/],
    ['adds what stays outside', 'g-a g-b', ['keep g-a e1', 'keep g-b e1', 'drop g-c e2', 'add g-n e3'], /add of g-n/],
    ['puts a group in two stages', 'g-a g-a', ['keep g-a e1', 'drop g-b e1', 'drop g-c e2'], /two places/],
    ['leaves one stage', 'g-a', ['keep g-a e1', 'drop g-b e1', 'drop g-c e2'], /at least 2/],
    [
      'makes a neighbour without tests a stage',
      'g-a g-b g-untested',
      ['keep g-a e1', 'keep g-b e1', 'drop g-c e2', 'add g-untested'],
      /stage 2 changes no tests/,
    ],
    [
      'has too many stages',
      'g-a g-b g-c g-n',
      ['keep g-a e1', 'keep g-b e1', 'keep g-c e2', 'add g-n e3'],
      /at most 3/,
    ],
  ])('is not valid where it %s', (_title, stages, decisions, says) => {
    expect(problems(stages, ...decisions).join('; ')).toMatch(says);
  });
});
