import { describe, expect, it } from 'vitest';
import { twinKey } from './validate-twins.js';

describe('the key of a twin', () => {
  it('is that of the test it was made from, project and groups included, by another name', () => {
    const of = { runner: 'vitest' as const, project: 'main', file: 'a.test.ts', path: ['group', 'adds'], ordinal: 0 };
    expect(twinKey(of, { path: ['group', 'adds'] }, 'fresh')).toEqual({ ...of, path: ['group', 'fresh'] });
  });
});
