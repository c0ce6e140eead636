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
    for (const title of ['Bump MSRV to 1.53', 'Update to clap 4.1', 'chore: migrate from jest to vitest 4'])
      expect(worth(title)).toBeLessThan(worth('Rename the size filter') + 0.01);
    expect(worth('Update the table to show sizes')).toBeGreaterThan(worth('Update to clap 4.1'));
  });
});
