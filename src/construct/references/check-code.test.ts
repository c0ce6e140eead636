import { describe, expect, it } from 'vitest';
import { findFlaw } from './check-code.js';

const flaw = (path: string, before: string, after: string, history: string | null = null): Promise<string | null> =>
  findFlaw(path, {
    before: Buffer.from(before),
    after: Buffer.from(after),
    history: history === null ? null : Buffer.from(history),
  });

describe('flaws of code that lines were taken out of', () => {
  it.each([
    ['a.ts', 'let result = url\nclean(result)\n', 'clean(result)\n', 'result'],
    [
      'a.ts',
      'import {\n  one,\n  two as three,\n} from "x"\nthree(1)\n',
      'import { one } from "x"\nthree(1)\n',
      'three',
    ],
    ['a.py', 'from x import one, two\n\ntwo()\n', 'from x import one\n\ntwo()\n', 'two'],
    ['a.py', 'def helper():\n    pass\n\nx = helper()\n', 'x = helper()\n', 'helper'],
    [
      'a.py',
      'class A:\n    def __init__(self):\n        self.size = 1\n    def f(self):\n        return self.size\n',
      'class A:\n    def f(self):\n        return self.size\n',
      'self.size',
    ],
    ['a.rs', 'use std::{fmt, io};\nfn f() { io::stdin(); }\n', 'use std::{fmt};\nfn f() { io::stdin(); }\n', 'io'],
    [
      'a.go',
      'package a\nfunc f() {\n\tvalue := read()\n\tuse(value)\n}\n',
      'package a\nfunc f() {\n\tuse(value)\n}\n',
      'value',
    ],
  ])('names without their declaration are found in %s: %j', async (path, before, after, name) => {
    expect(await flaw(path, before, after)).toContain(`uses ${name},`);
    // The same in history is nobody's doing.
    expect(await flaw(path, before, after, after)).toBeNull();
  });

  it('attributes, keys, texts and comments are no uses', async () => {
    const after = 'box.size\nf({ size: 2 })\nf("size")\n// size\n';
    expect(await flaw('a.ts', `const size = 1\nf(size)\n${after}`, after)).toBeNull();
  });

  it('syntax errors count where neither neighbour has them', async () => {
    expect(await flaw('a.py', 'if a:\n    b()\n', '    b(\n')).toContain('no valid code');
    expect(await flaw('a.py', 'if a:\n    b(\n', '    b(\n')).toBeNull();
    expect(await flaw('notes.txt', 'a', '((')).toBeNull();
  });
});
