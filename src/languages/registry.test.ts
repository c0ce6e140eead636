import { describe, expect, it } from 'vitest';
import { languageOf } from './registry.js';

describe('the language of a file', () => {
  it.each([
    ['src/click/core.py', 'python'],
    ['types.pyi', 'python'],
    ['a/b.test.ts', 'typescript'],
    ['x.mts', 'typescript'],
    ['App.TSX', 'tsx'],
    ['lib/index.cjs', 'javascript'],
    ['src/walk.rs', 'rust'],
    ['mux.go', 'go'],
    ['rust', 'rust'],
  ])('%s is %s', (path, name) => {
    expect(languageOf(path)?.name).toBe(name);
  });

  it.each(['README.md', 'Makefile', '.py', 'a.py/x', ''])('%s is none', (path) => {
    expect(languageOf(path)).toBeNull();
  });
});
