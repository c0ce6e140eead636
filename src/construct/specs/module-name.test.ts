import { describe, expect, it } from 'vitest';
import { moduleName, resolvedStem } from './module-name.js';

describe('the name of a module', () => {
  it.each([
    ['src/click/types.py', 'click.types'],
    ['click/__init__.py', 'click'],
    ['src/middleware/cors/index.ts', 'src/middleware/cors'],
    ['src/walk.rs', 'crate::walk'],
    ['src/exec/mod.rs', 'crate::exec'],
    ['src/main.rs', 'crate'],
    ['middleware/throttle.go', 'middleware'],
    ['mux.go', '.'],
  ])('%s is %s', (path, name) => {
    expect(moduleName(path)).toBe(name);
  });

  it.each([
    ['src/a/b.test.ts', './b', 'src/a/b'],
    ['src/a/b.test.ts', '../../hono', 'hono'],
    ['src/a/b.test.ts', '.', 'src/a'],
    ['src/a/b.test.ts', './index.js', 'src/a'],
    ['src/click/core.py', '.types', 'src/click/types'],
    ['src/click/sub/x.py', '..core', 'src/click/core'],
    ['src/a.ts', 'hono/cors', null],
    ['src/walk.rs', 'crate::dir', null],
  ])('from %s, %s leads to %s', (file, specifier, stem) => {
    expect(resolvedStem(file, specifier)).toBe(stem);
  });
});
