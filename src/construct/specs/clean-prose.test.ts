import { describe, expect, it } from 'vitest';
import {
  cleanProse,
  historySentence,
  namesHidden,
  namesHistory,
  namesPath,
  sentencesOf,
  specSentence,
} from './clean-prose.js';

describe('prose for a spec', () => {
  it.each([
    [':class:`~click.Choice` is stricter. :issue:`12`, :pr:`13`', '`Choice` is stricter.'],
    ['Use ``min_open`` (fixes #12).', 'Use `min_open`.'],
    ['[docs](https://a.example/b(c)) say so, thanks @someone', 'docs say so'],
    ['{class}`CliRunner` captures {pr}`3677`', '`CliRunner` captures'],
  ])('%s', (text, clean) => {
    expect(cleanProse(text)).toBe(clean);
  });

  it('ends sentences at full stops, not at abbreviations or dots in names', () => {
    expect(sentencesOf('Use a.b, e.g. Foo. Then stop.  `c` goes on')).toEqual([
      'Use a.b, e.g. Foo.',
      'Then stop.',
      '`c` goes on',
    ]);
  });

  it.each([
    'Edit `src/click/core.py`',
    'Call `_resolve`',
    'Discussed in https://a.example',
    'See below',
    'As in 0a1b2c3d4e',
    'const x = () => {',
  ])('drops: %s', (text) => {
    expect(specSentence(text)).toBeNull();
  });

  it.each(['refactor the parser', 'Add tests for cors', 'lint', 'fix typo', 'update docs'])(
    'drops work on the work: %s',
    (text) => {
      expect(historySentence(text)).toBeNull();
    },
  );

  it('knows routes, media types and dunder names from paths and hidden names', () => {
    expect(namesPath('GET /auth/a.b and text/html for /api/*')).toBe(false);
    expect(namesPath('in tests/test_a.py')).toBe(true);
    expect(namesHidden('`__init__` and snake_case and a __dunder__')).toBe(false);
    expect(namesHidden('ctx._depth')).toBe(true);
    expect(namesHistory('range 0-5 of 12345678 items at 10:00')).toBe(false);
  });
});
