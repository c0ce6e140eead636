import { describe, expect, it } from 'vitest';
import { oneTellingEach, orderByNews } from './choose-diverse.js';

const chain = (name: string, nodes: number[], score = 1) => ({ name, nodes, score });

describe('different features', () => {
  it('are told once each: what shares more than half with a better telling is left out and says with what', () => {
    const best = chain('best', [1, 2, 3]);
    const worse = chain('worse', [2, 3]);
    const other = chain('other', [3, 9]);
    const { told, repeated } = oneTellingEach([best, worse, other]);
    expect(told).toEqual([best, other]);
    expect(repeated).toEqual([{ chain: worse, instead: best, shared: 2 }]);
  });

  it('come before further tellings of changes that the list has already shown', () => {
    const ordered = orderByNews(
      [chain('first', [1, 2], 0.9), chain('half seen', [2, 3], 0.8), chain('new', [4, 5], 0.5)],
      ({ score }) => score,
    );
    expect(ordered.map(({ chain: { name }, fresh }) => [name, fresh])).toEqual([
      ['first', 2],
      ['new', 2],
      ['half seen', 1],
    ]);
  });
});
