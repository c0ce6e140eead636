import { describe, expect, it } from 'vitest';
import { go } from './index.js';

async function read(source: string) {
  const facts = await go.analyse(Buffer.from(`package p\n${source}`));
  if ('unparsed' in facts) throw new Error('unparsed');
  return facts;
}

describe('Go', () => {
  it('gives methods to their receiver, exports by capitals and splits grouped declarations', async () => {
    const facts = await read(`
// Mux routes.
type Mux struct { tree *node; A, B int }
type ( Router interface { Use(m ...Handler) }
 alias = string )
const ( One = iota; Two )
const Max = 5
var ErrX, errY = errors.New("x"), 2
func NewMux() *Mux { type local struct { q int }; return nil }
func (mx *Mux) Route(pattern string) Router { return nil }
func (c Chain[T]) Use() {}
`);
    expect(facts.parseErrors).toBe(0);
    expect(
      facts.definitions.map(
        ({ kind, qualifiedName, exported, value }) =>
          `${exported ? '+' : '-'} ${kind} ${qualifiedName}${value === null ? '' : ` ${value}`}`,
      ),
    ).toEqual([
      '+ class Mux',
      '- field Mux.tree',
      '+ field Mux.A',
      '+ field Mux.B',
      '+ interface Router',
      '+ method Router.Use',
      '- type alias',
      '+ constant One iota',
      '+ constant Two',
      '+ constant Max 5',
      '+ variable ErrX',
      '- variable errY',
      '+ function NewMux',
      '+ method Mux.Route',
      '+ method Chain.Use',
    ]);
    expect(facts.definitions.find(({ name }) => name === 'Route')?.signature).toBe(
      'func (mx *Mux) Route(pattern string) Router',
    );
  });

  it('reads imports by the name they are used by', async () => {
    const facts = await read(
      'import ( "net/http"; m "github.com/go-chi/chi/v5/middleware"; "github.com/go-chi/chi/v5"; . "dot"; _ "blank" )\n',
    );
    expect(
      facts.imports.map(({ specifier, names, localNames }) => [specifier, names.join(), localNames.join()]),
    ).toEqual([
      ['net/http', '', 'http'],
      ['github.com/go-chi/chi/v5/middleware', '', 'm'],
      ['github.com/go-chi/chi/v5', '', 'chi'],
      ['dot', '*', ''],
      ['blank', '', ''],
    ]);
  });

  it('reads messages of errors', async () => {
    const facts = await read('func f() error { return fmt.Errorf("chi: bad %q", x) }\nvar s = `raw`\n');
    expect(facts.strings.map(({ value, inError }) => [value, inError])).toEqual([
      ['chi: bad %q', true],
      ['raw', false],
    ]);
  });
});
