import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chainWindows } from './chain-windows.js';

it('tries the whole chain first, then shorter windows, the latest of each length first', () => {
  expect([...chainWindows(4)].map(({ from, to }) => `${from}-${to}`)).toEqual([
    '0-3',
    '1-3',
    '0-2',
    '2-3',
    '1-2',
    '0-1',
  ]);
});

it('names every window of at least two stages once, never a longer one after a shorter one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), (stages) => {
      const windows = [...chainWindows(stages)];
      const lengths = windows.map(({ from, to }) => to - from + 1);
      expect(new Set(windows.map(({ from, to }) => `${from}-${to}`)).size).toBe((stages * Math.max(0, stages - 1)) / 2);
      expect([...lengths].sort((a, b) => b - a)).toEqual(lengths);
      for (const { from, to } of windows) expect(from >= 0 && to < stages && to > from).toBe(true);
    }),
  );
});
