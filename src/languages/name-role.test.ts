import { describe, expect, it } from 'vitest';
import type { LanguageName } from './contract.js';
import { IDENTIFIER_TYPES, nameRole } from './name-role.js';
import { parseSource } from './parse-source.js';
import { SyntaxTree } from './syntax-tree.js';

/** Roles of all identifiers in the order of the text: `name:role`. */
async function rolesOf(language: LanguageName, source: string): Promise<string[]> {
  const tree = await parseSource(language, Buffer.from(source));
  if (!(tree instanceof SyntaxTree)) throw new Error('unparsed');
  expect(tree.parseErrors).toBe(0);
  const roles: string[] = [];
  for (let node = 0; node < tree.count; node += 1) {
    if (IDENTIFIER_TYPES.has(tree.typeOf(node))) roles.push(`${tree.textOf(node)}:${nameRole(tree, node)}`);
  }
  return roles;
}

describe('the role of a name', () => {
  it('in Python', async () => {
    expect(
      await rolesOf(
        'python',
        'from a import b as c\ndef f(x, y: T = z, *rest):\n    k, (l, m) = x.at(n=o)\n    with p as q: pass\n    return [r for r in s]\n',
      ),
    ).toEqual(
      'a:none b:import c:bound f:bound x:bound y:bound T:name z:name rest:bound k:bound l:bound m:bound x:name at:attribute n:keyword o:name p:name q:bound r:name r:bound s:name'.split(
        ' ',
      ),
    );
  });

  it('in TypeScript', async () => {
    expect(
      await rolesOf(
        'typescript',
        'import { a as b } from "m"\nconst { c, d: e = f } = g.h\nfunction i(j: K, { l }) { try { n({ o: p, q }) } catch (r) {} }\nfor (const s of t) {}\nconst u = (v) => v.w\n',
      ),
    ).toEqual(
      'a:import b:bound c:bound d:attribute e:bound f:name g:name h:attribute i:bound j:bound K:name l:bound n:name o:key p:name q:key r:bound s:bound t:name u:bound v:bound v:name w:attribute'.split(
        ' ',
      ),
    );
  });

  it('in JavaScript', async () => {
    expect(await rolesOf('javascript', 'function a(b, ...c) { return b.d }\nconst e = f => f(g)\n')).toEqual(
      'a:bound b:bound c:bound b:name d:attribute e:bound f:bound f:name g:name'.split(' '),
    );
  });

  it('in Rust', async () => {
    expect(
      await rolesOf(
        'rust',
        'use a::b as c;\nfn d(e: F) { let (g, mut h) = e.i; let j = K { l: m }; assert_eq!(n.o, p(2)); for q in r {} s(|t| t.u); }\n',
      ),
    ).toEqual(
      'a:import b:import c:bound d:bound e:bound F:name g:bound h:bound e:name i:attribute j:bound K:name l:keyword m:name assert_eq:name n:name o:attribute p:name q:bound r:name s:name t:bound t:name u:attribute'.split(
        ' ',
      ),
    );
  });

  it('in Go', async () => {
    expect(
      await rolesOf(
        'go',
        'package p\nfunc a(b *C) { d, e := f.g(); h := I{j: k}; for l, m := range n {}; var o = q.R{}; }\n',
      ),
    ).toEqual(
      'p:bound a:bound b:bound C:name d:bound e:bound f:name g:attribute h:bound I:name j:keyword k:name l:bound m:bound n:name o:bound q:name R:name'.split(
        ' ',
      ),
    );
  });
});
