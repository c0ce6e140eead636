import { expect, it } from 'vitest';
import type { Chain, Chains, Rejection } from '#documents/chains.js';
import type { Attempt } from '#documents/funnel.js';
import { funnelOf } from './funnel-of.js';

const chain = (id: string): Chain => ({ id, feature: id, stages: [{}, {}, {}] }) as unknown as Chain;
const document = {
  ...{ repository: 'r', head: 'h', toolVersion: '1', chains: ['c-1', 'c-2', 'c-3', 'c-4', 'c-5'].map(chain) },
  counts: { commits: 9, groups: 8, nodes: 7, edges: 6, candidates: 5, rejected: 4 },
} as unknown as Chains;
const attempt = (id: string, failed: Attempt['failed'], from: number, why = 'so'): Attempt => ({
  ...{ chain: id, from, to: from + 1, failed, why, seconds: 1 },
  code: failed === 'none' ? null : failed === 'states' ? 'state-wrong' : 'refused',
  task: failed === 'none' || failed === 'check' ? `t-${from}` : null,
});
const rejection = (reason: string): Rejection => ({ step: 'limit', reason }) as Rejection;

it('counts how far each chain came and why the rest fell out, cases of one kind together', () => {
  const wrong = 'state S_0 is not right (no-line-of-later-stages): a.py: x\nmore';
  const attempts = [
    [attempt('c-1', 'states', 0, wrong), attempt('c-1', 'none', 1)],
    [attempt('c-2', 'check', 0), attempt('c-2', 'build', 1)],
    [attempt('c-3', 'states', 0, wrong)],
    [],
    [],
  ];
  const outcome = { ended: 'budget' as const, attempts, holding: [true, true, false, true, false] };
  const funnel = funnelOf(document, [rejection('number 12 of 99'), rejection('number 7 of 99')], outcome);
  expect(funnel.chains.map(({ outcome: end }) => end)).toEqual([
    'admitted',
    'refused',
    'not-rebuilt',
    'rebuilt',
    'open',
  ]);
  expect(funnel.counts).toMatchObject({ chains: 5, tried: 4, rebuilt: 3, built: 2, admitted: 1 });
  expect(funnel.chains[0]).toMatchObject({ window: { from: 1, to: 2 }, task: 't-1' });
  expect(funnel.reasons).toEqual([
    { step: 'limit', reason: 'number N of N', count: 2, example: 'number 12 of 99' },
    { step: 'states', reason: 'state-wrong: no-line-of-later-stages', count: 2, example: wrong.split('\n')[0] },
    { step: 'check', reason: 'refused', count: 1, example: 'so' },
    { step: 'build', reason: 'refused', count: 1, example: 'so' },
  ]);
});
