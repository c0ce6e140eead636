import { describe, expect, it } from 'vitest';
import { code, codePath, plain } from './markdown.js';

describe('text of others in Markdown', () => {
  it('holds nothing that turns the direction of text', () => {
    for (const turn of ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']) {
      expect(plain(`a${turn}b`)).toBe('a b');
      expect(code(`a${turn}b`)).toBe('`a b`');
    }
    expect(codePath(Buffer.from('a\u202eb').toString('latin1'))).toBe('`a\\u{202e}b`');
  });
});
