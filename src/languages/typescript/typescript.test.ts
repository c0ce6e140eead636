import { describe, expect, it } from 'vitest';
import { javascript, tsx, typescript } from './index.js';

async function read(source: string, language = typescript) {
  const facts = await language.analyse(Buffer.from(source));
  if ('unparsed' in facts) throw new Error('unparsed');
  return facts;
}

const shown = (facts: Awaited<ReturnType<typeof read>>) =>
  facts.definitions.map(({ kind, qualifiedName, exported }) => `${exported ? '+' : '-'} ${kind} ${qualifiedName}`);

describe('TypeScript', () => {
  it('finds functions behind constants, members, types, enums and namespaces with their visibility', async () => {
    const facts = await read(`
/** Doc */
export const cors = (options?: Opt): Handler => { const local = 1 }
export const MAX = 5, min = -1
export default class Foo<T> { #p = 1; private q = 2; handler = (c: C) => { }; async run(a = 'x  y') { this.depth = 1 } }
export interface I { a?: string; m(x: number): void }
export enum E { A, B = 'b' }
export namespace N { export function g() {} }
function later() {}
export { later as other }
export function over(a: string): void
export function over(a: any) {}
`);
    expect(facts.parseErrors).toBe(0);
    expect(shown(facts)).toEqual([
      '+ function cors',
      '+ constant MAX',
      '+ constant min',
      '+ class Foo',
      '- field Foo.#p',
      '- field Foo.q',
      '+ method Foo.handler',
      '+ method Foo.run',
      '+ interface I',
      '+ field I.a',
      '+ method I.m',
      '+ enum E',
      '+ field E.A',
      '+ field E.B',
      '+ module N',
      '+ function N.g',
      '+ function later',
      '+ function over',
      '+ function over#2',
    ]);
    expect(facts.definitions.find(({ name }) => name === 'run')?.signature).toBe(`async run(a = 'x  y')`);
    expect(facts.attributes).toEqual([{ owner: 'Foo', name: 'depth' }]);
  });

  it('reads imports, re-exports, require and dynamic import', async () => {
    const facts = await read(
      `import def, { a as b, type C } from './x'\nimport * as ns from 'ns'\nimport type { T } from 't'\nexport { z } from './z'\nexport * from './all'\nconst { r, s: t } = require('q')\nconst m = await import('m')\n`,
    );
    expect(
      facts.imports.map(({ specifier, names, localNames, typeOnly, reExport }) => [
        specifier,
        names.join(),
        localNames.join(),
        typeOnly,
        reExport,
      ]),
    ).toEqual([
      ['./x', 'default,a,C', 'def,b,C', false, false],
      ['ns', '*', 'ns', false, false],
      ['t', 'T', 'T', true, false],
      ['./z', 'z', '', false, true],
      ['./all', '*', '', false, true],
      ['q', 'r,s', 'r,t', false, false],
      ['m', '', 'm', false, false],
    ]);
  });

  it('tells the word string of a type from a string', async () => {
    const facts = await read(`export function f(a: string): string { throw new TypeError(\`bad \${a}\`) }`);
    expect(facts.strings).toMatchObject([{ value: `bad \${a}`, inError: true }]);
  });

  it('reads elements of TSX', async () => {
    const facts = await read('export const App = () => <Panel title="x">{name}</Panel>\n', tsx);
    expect(facts.parseErrors).toBe(0);
    expect([...facts.identifiers.keys()]).toEqual(expect.arrayContaining(['Panel', 'title', 'name']));
  });
});

describe('JavaScript with CommonJS', () => {
  it('finds what is exported by assignment', async () => {
    const facts = await read(
      `var a = require('./a')\nexports = module.exports = createApp;\nfunction createApp() {}\nfunction inner() {}\nfunction listed() {}\nexports.one = function (x) {}\nApp.prototype.use = function use(fn) { this.stack = [] }\nmodule.exports.two = 2\nmodule.exports = { listed }\n`,
      javascript,
    );
    expect(shown(facts)).toEqual([
      '- variable a',
      '+ function createApp',
      '- function inner',
      '+ function listed',
      '+ function one',
      '+ method App.use',
      '+ constant two',
    ]);
    expect(facts.attributes).toEqual([{ owner: 'App', name: 'stack' }]);
  });
});
