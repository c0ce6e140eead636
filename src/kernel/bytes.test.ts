import { describe, expect, it } from 'vitest';
import { showPath } from './bytes.js';

describe('a path for people to read', () => {
  it('shows control characters, odd bytes and what turns the direction of text as escapes', () => {
    expect(showPath(Buffer.from('src/é\n.ts'))).toBe('src/é\\x0a.ts');
    expect(showPath(Buffer.from('src/\xe9.ts', 'latin1'))).toBe('src/\\xe9.ts');
    expect(showPath(Buffer.from('src/\u202egnp.ts\u2069\u200f'))).toBe('src/\\u{202e}gnp.ts\\u{2069}\\u{200f}');
  });
});
