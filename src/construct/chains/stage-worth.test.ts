import { describe, expect, it } from 'vitest';
import { makePastGroup } from '../../../test/support/make-past-group.js';
import { stageWorth } from './stage-worth.js';

const worth = (title: string, intent: 'feature' | 'fix' | 'refactor' = 'feature'): number =>
  stageWorth(makePastGroup(0, { title, intent }));

describe('how likely a change is a stage', () => {
  it('is high for what adds something, lower for fixes, and low for what keeps house', () => {
    expect(worth('Add size filter')).toBeGreaterThan(worth('Honour size filter', 'fix'));
    expect(worth('Honour size filter', 'fix')).toBeGreaterThan(worth('Rename the size filter', 'refactor'));
  });

  it('is low for new versions of what the project is built with, whatever definitions changed with them', () => {
    for (const title of [
      'Bump MSRV to 1.53',
      'Update to clap 4.1',
      'chore: migrate from jest to vitest 4',
      'update dev dependencies',
      'chore(deps): replace the date library',
    ])
      expect(worth(title)).toBeLessThan(worth('Rename the size filter') + 0.01);
    expect(worth('Update the table to show sizes')).toBeGreaterThan(worth('Update to clap 4.1'));
  });

  it('is low where tests alone are said to be added', () => {
    expect(worth('Add test case for size filters')).toBeLessThan(worth('Add size filters, with tests'));
  });

  it('rises with tests and new lines, and falls with what of the source is taken away', () => {
    const of = (added: number, removed: number, more: Parameters<typeof makePastGroup>[1] = {}): number =>
      stageWorth(
        makePastGroup(0, {
          title: 'Sizes in files',
          sourceLinesAdded: added,
          files: [
            { lineage: 0, path: 'a.py', role: 'source', status: 'modified', addedLines: added, removedLines: removed },
          ],
          ...more,
        }),
      );
    expect(of(40, 0)).toBeGreaterThan(of(2, 0));
    expect(of(40, 0)).toBeGreaterThan(of(40, 80));
    expect(of(40, 0)).toBeGreaterThan(of(40, 0, { tests: [], testLinesAdded: 0 }));
  });

  it('assumes neither few nor many lines where they are not known', () => {
    const of = (lines: number | null) =>
      stageWorth(makePastGroup(0, { sourceLinesAdded: lines, testLinesAdded: lines }));
    expect(of(null)).toBeGreaterThan(of(1));
    expect(of(null)).toBeLessThan(of(400));
  });

  it('takes an issue that is closed for a reference, not for a fix', () => {
    expect(worth('Add sizes. Fixes #12')).toBe(worth('Add sizes.'));
    expect(worth('Add sizes. Fixes crashes')).toBeLessThan(worth('Add sizes.'));
  });
});
