import { describe, expect, it } from 'vitest';
import { featureName, featureTitle } from './feature-title.js';

describe('the name of a feature', () => {
  it('is the telling one that most titles speak of, in whatever way they write it', () => {
    const symbols = ['_clamp', 'src/types.py', 'NumberRange.convert', 'FloatRange'];
    expect(featureName(symbols, ['Add Float Range in types', 'Allow open float range'])).toBe('FloatRange');
    expect(featureName(symbols, ['Clamp', 'Something else'])).toBe('NumberRange.convert');
  });

  it('is an internal one only where there is no other, and none where nothing tells the feature', () => {
    expect(featureName(['_clamp', 'src/types.py'], ['Add ranges'])).toBe('_clamp');
    expect(featureName([], ['Add ranges'])).toBe('');
  });

  it('stands before what the first change says, without the prefix of a conventional commit', () => {
    expect(featureTitle('toSSG', 'feat(ssg): introduce a helper')).toBe('toSSG: introduce a helper');
    expect(featureTitle('stderr', 'CliRunner: add stdout')).toBe('stderr: CliRunner: add stdout');
    expect(featureTitle('', 'Add ranges')).toBe('Add ranges');
  });
});
