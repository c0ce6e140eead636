import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '#git/index.js';
import { type Language, languageOf, type SyntaxFacts } from '#languages/index.js';
import { PieceTable } from './piece-table.js';

/** Definitions of a whole parse, without what functions hold inside. */
function wholeDefinitions(facts: SyntaxFacts): string[] {
  const open: SyntaxFacts['definitions'] = [];
  const listed: string[] = [];
  for (const definition of facts.definitions) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= definition.start) open.pop();
    if (!open.some(({ kind }) => kind === 'function' || kind === 'method'))
      listed.push(line({ ...definition, qualifiedName: definition.qualifiedName.replace(/#\d+/g, '') }));
    open.push(definition);
  }
  return listed.sort();
}

function line({
  kind,
  qualifiedName,
  signature,
  inTest,
}: {
  kind: string;
  qualifiedName: string;
  signature: string;
  inTest: boolean;
}): string {
  return `${kind} ${qualifiedName} | ${signature} | ${inTest}`;
}

async function compare(
  source: Buffer,
  language: Language,
): Promise<{ whole: string[]; pieces: string[]; imports: [string[], string[]] } | null> {
  const facts = await language.analyse(source);
  if ('unparsed' in facts || facts.parseErrors > 0) return null;
  const table = new PieceTable();
  const outline = await table.outline(source, language);
  const specifiers = (list: readonly { specifier: string; names: string[] }[]): string[] =>
    list
      .filter(({ specifier }) => !specifier.startsWith('mod '))
      .map(({ specifier, names }) => `${specifier}: ${names}`)
      .sort();
  return {
    whole: wholeDefinitions(facts),
    pieces: outline.pieces.flatMap((id) => table.factsOf(id).definitions.map(line)).sort(),
    imports: [specifiers(facts.imports), specifiers(outline.blob.imports)],
  };
}

const SAMPLES: Record<string, string> = {
  'a.py': `import os\nfrom . import (a as b, c)\n\nX = """\ndef no(): pass\n"""\n\n@decorate(  # why\n    x=1,\n)\nasync def f(a, b: int = 1,  # one\n      *, c="):",\n) -> "dict[str, int]":\n    import lazy.module as m, other\n    """Doc: with colon."""\n    if a:\n        return {k: f"{v!r:>{b}}" for k, v in c}\n\n\nclass A(Base, metaclass=M):\n    """Doc.\n\n    def not_a_method(self): pass\n    """\n\n    x: int = 1\n\n    @property\n    def y(self): return self._y\n\n    class Inner:\n        def z(self, q=[1,\n            2]):\n            pass\n${'        # padding so that the class is cut\n'.repeat(20)}\n    def _hidden(self) -> None:\n        pass\nelse_ = 1\n`,
  'b.ts': `import { x } from './x'\n\n/** Doc. */\nexport async function f<T extends { a: string }>(a: T, b = { c: 1 }): Promise<Map<string, () => void>> {\n  return new Map()\n}\n\nexport const g: (x: number) => string = (x) => {\n  return \`\${x} \${g(1)} }\`\n}\n\nconst h = async <T,>(x: T): Promise<T> => x\n\nexport class A<T = any> extends B {\n  static #count = 0\n  private readonly name?: string\n  handler = (event: Event) => {\n    this.#count += 1\n  }\n  constructor(private a: string) {\n    super()\n  }\n  get size(): number {\n    return /[}/]/.test('}') ? 1 : 2\n  }\n  async *walk(from: string, to: { a: 1 } | null = null): AsyncGenerator<string> {\n    yield* []\n  }\n${'  // padding so that the class is cut\n'.repeat(20)}  ['computed']() {}\n}\n\nexport interface I {\n${'  // padding so that the interface is cut\n'.repeat(20)}  (call: string): void\n  new (x: number): I\n  m?(a: string): { b: number }\n  readonly p: string | undefined\n  as?: string\n  catch(e: Error): void\n}\n\nexport type U = { a: string } | number\nexport enum E { A = 1, B }\nfunction overloaded(a: string): string\nfunction overloaded(a: number): number\nfunction overloaded(a: unknown): unknown {\n  return a\n}\n`,
  'c.rs': `use std::{fs, io::{self, Read}};\nmod inner;\n\n/// Doc.\n#[derive(Debug)]\npub struct S<'a> {\n    pub x: &'a str,\n}\n\nimpl<'a> S<'a>\nwhere\n    'a: 'static,\n{\n${'    // padding so that the block is cut\n'.repeat(20)}    pub fn new(x: &'a str) -> Self {\n        let c = '{';\n        S { x }\n    }\n\n    fn raw() -> &'static str {\n        r#"} fn no() {"#\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n${'    // padding so that the module is cut\n'.repeat(20)}\n    fn helper() {}\n\n    #[test]\n    fn works() {\n        assert!(true);\n    }\n}\n`,
  'd.go': `package p\n\nimport (\n\t"fmt"\n\tm "e.org/m"\n)\n\nconst (\n\tA = 1\n\tB = \`\nfunc no() {}\n\`\n)\n\n// T is.\ntype T struct {\n\tx int\n}\n\nfunc (t *T) Get(a, b int) (int, error) {\n\treturn fmt.Println('{', m.X)\n}\n\nfunc f[K comparable](k K) K { return k }\n`,
};

describe('a file read in pieces', () => {
  for (const [name, text] of Object.entries(SAMPLES)) {
    it(`has the definitions and imports of a whole parse: ${name}`, async () => {
      const language = languageOf(name);
      const compared = language === null ? null : await compare(Buffer.from(text), language);
      expect(compared).not.toBeNull();
      expect(compared?.pieces).toEqual(compared?.whole);
      expect(compared?.imports[1]).toEqual(compared?.imports[0]);
    });
  }

  it('has them for the sources of this program too', async () => {
    const folder = join(import.meta.dirname, '..');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      const language = languageOf(name);
      const compared = language === null ? null : await compare(readFileSync(join(folder, name)), language);
      if (compared !== null)
        expect({ name, ...compared, imports: null }).toEqual({
          name,
          whole: compared.whole,
          pieces: compared.whole,
          imports: null,
        });
    }
  });

  for (const name of ['pallets+click', 'sharkdp+fd', 'go-chi+chi']) {
    const place = join(process.env.FEATUREARC_REPOS ?? '/nowhere', name, 'repo');
    it.skipIf(!existsSync(place))(`has them for every file of ${name} (needs FEATUREARC_REPOS)`, async () => {
      const repository = await openRepository(place);
      for (const [path, { oid, mode }] of await repository.files('HEAD')) {
        const language = mode.startsWith('100') ? languageOf(path) : null;
        const compared = language === null ? null : await compare(await repository.readBlob(oid), language);
        if (compared !== null) expect({ path, pieces: compared.pieces }).toEqual({ path, pieces: compared.whole });
      }
      await repository.close();
    });
  }

  it('is parsed once: a second version costs only its changed pieces', async () => {
    const table = new PieceTable();
    const language = languageOf('a.py');
    if (language === null) throw new Error('no Python');
    const source = SAMPLES['a.py'] ?? '';
    const first = await table.outline(Buffer.from(source), language);
    const second = await table.outline(Buffer.from(source.replace('return self._y', 'return self._y + 1')), language);
    expect(second.pieces.filter((id) => !first.pieces.includes(id))).toHaveLength(1);
    expect(await table.outline(Buffer.from(source), language)).toEqual(first);
  });
});
