import { describe, expect, it } from 'vitest';
import { python } from './index.js';

async function read(source: string) {
  const facts = await python.analyse(Buffer.from(source));
  if ('unparsed' in facts) throw new Error('unparsed');
  return facts;
}

describe('Python', () => {
  it('gives decorators and the comment above to the definition, but not the comment of the line before', async () => {
    const source = 'x = 1  # trailing\n@deco(1)\n# why\ndef f(a, *, b: str = "x  y"): pass\n';
    const facts = await read(source);
    const f = facts.definitions.find(({ name }) => name === 'f');
    expect(source.slice(f?.start, f?.end)).toBe('@deco(1)\n# why\ndef f(a, *, b: str = "x  y"): pass');
    expect(f?.signature).toBe('def f(a, *, b: str = "x  y")');
  });

  it('knows fields, attributes of self, nested functions and hidden names', async () => {
    const facts = await read(
      'class A(Base):\n    kind: str = "a"\n    def __init__(self):\n        self.depth = 1\n        def inner(): pass\ndef _hidden(): pass\n',
    );
    expect(facts.definitions.map(({ kind, qualifiedName, exported }) => [kind, qualifiedName, exported])).toEqual([
      ['class', 'A', true],
      ['field', 'A.kind', true],
      ['method', 'A.__init__', true],
      ['function', 'A.__init__.inner', false],
      ['function', '_hidden', false],
    ]);
    expect(facts.attributes).toEqual([{ owner: 'A', name: 'depth' }]);
  });

  it('numbers names that repeat in a scope', async () => {
    const facts = await read('class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\n');
    expect(facts.definitions.map(({ qualifiedName }) => qualifiedName)).toEqual(['A', 'A.x', 'A.x#2']);
  });

  it('reads every form of import', async () => {
    const facts = await read(
      'import os.path as p, sys\nfrom .core import Group as G, Command\nfrom x import *\nif TYPE_CHECKING:\n    import typing\nfrom y import z as z\n',
    );
    expect(
      facts.imports.map(({ specifier, names, localNames, typeOnly, reExport }) => ({
        specifier,
        names,
        localNames,
        typeOnly,
        reExport,
      })),
    ).toEqual([
      { specifier: 'os.path', names: [], localNames: ['p'], typeOnly: false, reExport: false },
      { specifier: 'sys', names: [], localNames: ['sys'], typeOnly: false, reExport: false },
      {
        specifier: '.core',
        names: ['Group', 'Command'],
        localNames: ['G', 'Command'],
        typeOnly: false,
        reExport: false,
      },
      { specifier: 'x', names: ['*'], localNames: [], typeOnly: false, reExport: false },
      { specifier: 'typing', names: [], localNames: ['typing'], typeOnly: true, reExport: false },
      { specifier: 'y', names: ['z'], localNames: ['z'], typeOnly: false, reExport: true },
    ]);
  });

  it('joins the parts of a message and tells documentation from strings', async () => {
    const facts = await read('"""Doc."""\nraise UsageError(f"no {x}" " left\\n")\nprint(r"\\d")\n');
    expect(facts.strings.map(({ value, inError, isDoc }) => [value, inError, isDoc])).toEqual([
      ['Doc.', false, true],
      ['no {x} left\n', true, false],
      ['\\d', false, false],
    ]);
  });

  it('sees that a statement moved out of its block', async () => {
    const hash = async (source: string) => (await read(source)).definitions[0]?.contentHash;
    expect(await hash('def f():\n    if x:\n        a()\n        b()\n')).not.toBe(
      await hash('def f():\n    if x:\n        a()\n    b()\n'),
    );
    const method = (rest: string) => `def f():\n    if x:\n        a()\n${rest}`;
    expect(await hash(method(''))).toBe(await hash(method('# end\n\ndef g(): pass\n')));
  });
});
