import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language, LanguageName, SyntaxFacts } from './contract.js';
import { languages } from './registry.js';
import { SyntaxTree } from './syntax-tree.js';

/** The same small program in every language: a type with a method, a constant, a function that fails, an import. */
const PROGRAMS: Record<LanguageName, { source: string; import: string; commented: string; changed: string }> = {
  python: {
    source:
      'import os\nLIMIT = 5\nclass Walker:\n    def visit(self, depth=1):\n        raise ValueError("too deep")\ndef walk(path):\n    return Walker().visit(path)\n',
    import: 'os',
    commented:
      'class Walker:\n    # why\n    def visit( self,\n        depth = 1 ):\n        raise ValueError("too deep")  # so\n',
    changed: 'class Walker:\n    def visit(self, depth=2):\n        raise ValueError("too deep")\n',
  },
  typescript: script('export '),
  tsx: script('export '),
  javascript: script('export '),
  rust: {
    source:
      'use std::io;\npub const LIMIT: usize = 5;\npub struct Walker;\nimpl Walker { pub fn visit(&self, depth: usize) { panic!("too deep") } }\npub fn walk(path: &str) { Walker.visit(1) }\n',
    import: 'std',
    commented:
      'pub struct Walker;\nimpl Walker { /* why */ pub fn visit( &self,\n depth: usize ) { panic!("too deep") // so\n } }\n',
    changed: 'pub struct Walker;\nimpl Walker { pub fn visit(&self, depth: u8) { panic!("too deep") } }\n',
  },
  go: {
    source:
      'package p\nimport "fmt"\nconst LIMIT = 5\ntype Walker struct{}\nfunc (w *Walker) Visit(depth int) { panic("too deep") }\nfunc Walk(path string) { w.Visit(1); fmt.Println() }\n',
    import: 'fmt',
    commented: 'package p\ntype Walker struct{}\nfunc (w *Walker) Visit( depth int ) { /* why */ panic("too deep") }\n',
    changed: 'package p\ntype Walker struct{}\nfunc (w *Walker) Visit(depth int8) { panic("too deep") }\n',
  },
};

function script(exported: string): (typeof PROGRAMS)['typescript'] {
  return {
    source: `import { sep } from 'node:path'\n${exported}const LIMIT = 5\n${exported}class Walker { visit(depth = 1) { throw new Error('too deep') } }\n${exported}function walk(path) { return new Walker().visit(sep) }\n`,
    import: 'node:path',
    commented: `${exported}class Walker { /* why */ visit( depth = 1 ) { throw new Error('too deep') // so\n } }\n`,
    changed: `${exported}class Walker { visit(depth = 2) { throw new Error('too deep') } }\n`,
  };
}

async function factsOf(language: Language, source: string | Buffer): Promise<SyntaxFacts> {
  const facts = await language.analyse(Buffer.from(source));
  if ('unparsed' in facts) throw new Error(`unparsed: ${facts.unparsed}`);
  return facts;
}

const named = (facts: SyntaxFacts, name: string) =>
  facts.definitions.find((definition) => definition.name.toLowerCase() === name);

describe.each(languages.map((language) => [language.name, language] as const))('the language %s', (name, language) => {
  const program = PROGRAMS[name];

  it('finds the definitions of a small program, exported and with their heads', async () => {
    const facts = await factsOf(language, program.source);
    expect(facts.parseErrors).toBe(0);
    expect(named(facts, 'walker')).toMatchObject({ kind: 'class', exported: true });
    expect(named(facts, 'visit')).toMatchObject({ kind: 'method', exported: true });
    expect(named(facts, 'visit')?.qualifiedName.toLowerCase()).toBe('walker.visit');
    expect(named(facts, 'visit')?.signature).toMatch(/visit\(.*depth.*\)/i);
    expect(named(facts, 'visit')?.signature).not.toContain('too deep');
    expect(named(facts, 'walk')).toMatchObject({ kind: 'function', exported: true });
    expect(named(facts, 'limit')).toMatchObject({ kind: 'constant', value: '5' });
  });

  it('finds imports, calls, identifiers and the message of an error', async () => {
    const facts = await factsOf(language, program.source);
    expect(facts.imports.map((statement) => statement.specifier)).toContain(program.import);
    expect([...facts.calls.keys()].map((call) => call.toLowerCase())).toContain('visit');
    expect([...facts.identifiers.keys()]).toContain('depth');
    expect(facts.strings.filter((literal) => literal.inError).map((literal) => literal.value)).toEqual(['too deep']);
  });

  it('gives byte ranges also after characters of several bytes', async () => {
    const comment = language.commentPrefixes[0] === '#' ? '# héé → 𝒳\n' : '// héé → 𝒳\n';
    const source =
      name === 'go'
        ? program.source.replace('package p\n', `package p\n${comment}\n`)
        : `${comment}\n${program.source}`;
    const facts = await factsOf(language, source);
    const walk = named(facts, 'walk');
    const text = Buffer.from(source).subarray(walk?.start, walk?.end).toString();
    expect(text).toMatch(/walk\(/i);
    expect(text.endsWith('}') || text.endsWith(')')).toBe(true);
  });

  it('hashes a definition by its tokens: comments and layout do not count, a default or type does', async () => {
    const hash = async (source: string) => named(await factsOf(language, source), 'visit')?.contentHash;
    const plain = await hash(program.source);
    expect(plain).toMatch(/^[0-9a-f]{16}$/);
    expect(await hash(program.commented)).toBe(plain);
    expect(await hash(program.changed)).not.toBe(plain);
  });

  it('says why it does not read a file: too large, binary', async () => {
    expect(await language.analyse(Buffer.alloc(1_000_001, 'a'))).toEqual({ unparsed: 'too-large' });
    expect(await language.analyse(Buffer.from('a\0b'))).toEqual({ unparsed: 'binary' });
  });

  it('reads an empty file and a file that is not UTF-8', async () => {
    expect((await factsOf(language, '')).definitions).toEqual([]);
    const latin = Buffer.from(program.source.replace('too deep', 'trop profond\u00e9'), 'latin1');
    const walk = named(await factsOf(language, latin), 'walk');
    expect(latin.subarray(walk?.start, walk?.end).toString('latin1')).toMatch(/walk\(/i);
  });

  it('never throws, and its ranges lie in the source and nest, whatever the bytes', async () => {
    const fragments = fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          'def f(',
          'class A',
          '{',
          '}',
          '(',
          ')',
          ':\n  ',
          '\n',
          'fn a',
          'impl X {',
          'func ',
          'export ',
          '= 1',
          '"',
          "'",
          '`${',
          '/*',
          '//',
          '#',
          'é',
          '𝒳',
          'const ',
          'a.b',
          ',',
        )
        .map((text) => Buffer.from(text)),
      fc.nat({ max: program.source.length }).map((cut) => Buffer.from(program.source.slice(0, cut))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fragments, { maxLength: 30 }), async (parts) => {
        const source = Buffer.concat(parts);
        const facts = await language.analyse(source);
        if ('unparsed' in facts) return;
        expectProperRanges(facts, source.length);
      }),
      { numRuns: 300 },
    );
  });

  it('gives a whole tree as plain data', async () => {
    const tree = await language.parse(Buffer.from(program.source));
    if (!(tree instanceof SyntaxTree)) throw new Error('no tree');
    let covered = 0;
    for (let node = 0; node < tree.count; node += 1) {
      const parent = tree.parentOf(node);
      if (parent === null) continue;
      expect(tree.startOf(node)).toBeGreaterThanOrEqual(tree.startOf(parent));
      expect(tree.endOf(node)).toBeLessThanOrEqual(tree.endOf(parent));
      expect([...tree.childrenOf(parent)]).toContain(node);
      if (tree.firstChildOf(node) === null) covered += tree.endOf(node) - tree.startOf(node);
    }
    expect(covered).toBeGreaterThan(program.source.replace(/\s/g, '').length * 0.9);
  });

  it.each([
    ['brackets', '('.repeat(60_000)],
    ['blocks', '{'.repeat(60_000)],
    ['nested functions', nestedFunctions(name)],
    ['one long line', `x = [${'1,'.repeat(60_000)}]`],
    ['one long name', 'a'.repeat(900_000)],
    ['quotes', '"'.repeat(20_000)],
  ])('survives %s beyond measure', async (_what, source) => {
    const facts = await language.analyse(Buffer.from(source));
    if (!('unparsed' in facts)) expectProperRanges(facts, source.length);
  });
});

function nestedFunctions(name: LanguageName): string {
  if (name === 'python')
    return Array.from({ length: 600 }, (_unused, depth) => `${' '.repeat(depth)}def f():\n`).join('');
  const open = {
    rust: 'fn f(){',
    go: 'func f(){ x := func(){',
    typescript: 'function f(){',
    tsx: 'function f(){',
    javascript: 'function f(){',
  }[name];
  return open.repeat(20_000);
}

function expectProperRanges(facts: SyntaxFacts, length: number): void {
  const open: { start: number; end: number }[] = [];
  for (const { start, end, bodyStart } of [...facts.definitions].sort((a, b) => a.start - b.start || b.end - a.end)) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeLessThanOrEqual(length);
    expect(start).toBeLessThanOrEqual(end);
    if (bodyStart !== null) {
      expect(bodyStart).toBeGreaterThanOrEqual(start);
      expect(bodyStart).toBeLessThanOrEqual(end);
    }
    while (open.length > 0 && (open[open.length - 1]?.end ?? 0) <= start) open.pop();
    const around = open[open.length - 1];
    if (around !== undefined) expect(end).toBeLessThanOrEqual(around.end);
    open.push({ start, end });
  }
  for (const literal of facts.strings) expect(literal.end).toBeLessThanOrEqual(length);
}

describe('languages together', () => {
  it('hold no memory of the parser: thousands of parses stay in bounds', async () => {
    const sources = languages.map(
      (language) => [language, Buffer.from(PROGRAMS[language.name].source.repeat(4))] as const,
    );
    const round = async (): Promise<void> => {
      for (const [language, source] of sources) await language.analyse(source);
    };
    for (let warm = 0; warm < 20; warm += 1) await round();
    const before = process.memoryUsage.rss();
    for (let parses = 0; parses < 5_000; parses += sources.length) await round();
    expect(process.memoryUsage.rss() - before).toBeLessThan(300e6);
  });
});
