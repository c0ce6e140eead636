import { describe, expect, it } from 'vitest';
import { readMailmap } from './mailmap.js';

describe('a mailmap', () => {
  it('maps names, addresses and both, without regard to case', () => {
    const map = readMailmap(
      [
        '# people',
        'Proper Name <commit@one>',
        '<proper@two> <commit@two>',
        'Three <proper@three> <commit@three>',
        'Four <proper@four> Wrong Name <commit@four>',
        'not a line',
      ].join('\n'),
    );
    expect(map('x', 'COMMIT@one')).toEqual({ name: 'Proper Name', email: 'COMMIT@one' });
    expect(map('x', 'commit@two')).toEqual({ name: 'x', email: 'proper@two' });
    expect(map('x', 'commit@three')).toEqual({ name: 'Three', email: 'proper@three' });
    expect(map('wrong name', 'commit@four')).toEqual({ name: 'Four', email: 'proper@four' });
    expect(map('Other', 'commit@four')).toEqual({ name: 'Other', email: 'commit@four' });
    expect(map('nobody', null)).toEqual({ name: 'nobody', email: null });
  });
});
