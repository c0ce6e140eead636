import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeSpan, codeSpansIn } from './code-span.js';

describe('a code span', () => {
  it('gives back any text of one line, backticks included', () => {
    const text = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => !/[\u0000-\u001f\u007f]/.test(value));
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(codeSpansIn(`- kind ${codeSpan(one)} in ${codeSpan(other)}`)).toEqual([one, other]);
      }),
    );
  });

  it('keeps lines and controls as escapes', () => {
    expect(codeSpan('a\nb\x1b')).toBe('`a\\nb\\x1b`');
  });
});
