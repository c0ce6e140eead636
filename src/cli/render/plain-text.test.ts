import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.js';

describe('text of others on a terminal', () => {
  it('keeps lines, tabs and every script', () => {
    expect(plainText('a\tb\n日本 é עברית')).toBe('a\tb\n日本 é עברית');
  });

  it('shows control characters as escapes', () => {
    expect(plainText('\u001b[2Ja\u009bb\r')).toBe('\\x1b[2Ja\\x9bb\\x0d');
  });

  it('shows what turns the direction of text as escapes', () => {
    for (const code of [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
      expect(plainText(`a${String.fromCharCode(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`);
  });
});
