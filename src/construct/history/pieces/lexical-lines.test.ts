import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LexicalFamily, type LexicalLines, lexicalLines } from './lexical-lines.js';

function copied(lines: LexicalLines): number[][] {
  const cut = (column: Int32Array): number[] => [...column.subarray(0, lines.count)];
  return [cut(lines.starts), cut(lines.depths), cut(lines.lowest), cut(lines.indents)];
}

/** A scan that knows of no earlier one. */
function fresh(source: Buffer, family: LexicalFamily): number[][] {
  lexicalLines(Buffer.alloc(0), family === 'go' ? 'rust' : 'go');
  return copied(lexicalLines(source, family));
}

const startsOf = (text: string, family: LexicalFamily): string[] => {
  const source = Buffer.from(text);
  const [starts = []] = fresh(source, family);
  return starts.map((start) => text.slice(start).split('\n', 1)[0] ?? '');
};

describe('the lines of a source', () => {
  it('leave out what stands inside strings and comments of several lines', () => {
    const hole = '$' + '{';
    expect(startsOf('a = """\nb\n"""\nc\n', 'python')).toEqual(['a = """', 'c']);
    expect(startsOf(`a = \`\nb ${hole} {\n x } }\n\`\nc\n`, 'script')).toEqual(['a = `', ' x } }', 'c']);
    expect(startsOf('/* a /* b\n */ c\n*/\nd\n', 'rust')).toEqual(['/* a /* b', 'd']);
    expect(startsOf('a := `\nb\n`\nc\n', 'go')).toEqual(['a := `', 'c']);
    expect(startsOf('r#"\n" x\n"#; \'a\'; \'b\nc\n', 'rust')).toEqual(['r#"', 'c']);
  });

  it('are not misled by quotes in text, patterns, addresses and closing tags', () => {
    const depths = (text: string): number => fresh(Buffer.from(`${text}\nend\n`), 'script')[1]?.at(-1) ?? -1;
    expect(depths("<p>don't {x} https://a.b/{y}</p>")).toBe(0);
    expect(depths('x = /[{"]/; y = a / b; z = "{"')).toBe(0);
    expect(depths('<A {...p} />)'.replace(')', ''))).toBe(0);
  });

  it('are the same whether or not the version before is known', () => {
    const parts = [
      'def f(x):\n',
      '    return "a"\n',
      '"""\n',
      'x = [\n',
      ']\n',
      '# c\n',
      'const a = `b\n',
      `$${'{c}`'}\n`,
      '{\n',
      '}\n',
      "'it\n",
      '/* \n',
      '*/\n',
      'r#"\n',
      '"#\n',
      '\n',
      'a / b\n',
      '\\\n',
    ];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 14 });
    fc.assert(
      fc.property(
        texts,
        texts,
        texts,
        texts,
        fc.constantFrom<LexicalFamily>('python', 'script', 'rust', 'go'),
        (head, one, two, tail, family) => {
          const first = Buffer.from([...head, ...one, ...tail].join(''));
          const second = Buffer.from([...head, ...two, ...tail].join(''));
          const expected = fresh(second, family);
          fresh(first, family);
          expect(copied(lexicalLines(second, family))).toEqual(expected);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
