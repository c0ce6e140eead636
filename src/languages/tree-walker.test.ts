import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { flattenTree } from './flatten-tree.js';
import { directWalker, openPublicWalker } from './tree-walker.js';

describe('walking a tree', () => {
  it('gives the same columns by the module’s own functions as by the public cursor', async () => {
    const module: Record<string, unknown> = {};
    await Parser.init(module);
    const direct = directWalker(module);
    if (direct === null) throw new Error('the installed parser has other functions: walking is three times slower');
    const file = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm');
    const grammar = await Grammar.load(new Uint8Array(await readFile(file)));
    const parser = new Parser();
    parser.setLanguage(grammar);
    const named = grammar.types.map((_type, id) => grammar.nodeTypeIsNamed(id));
    const deep = `${'f(['.repeat(300)}1${'])'.repeat(300)}\n`;
    const sources = [
      await readFile(new URL('./collect-facts.ts', import.meta.url), 'utf8'),
      deep,
      'class { ( broken',
      '',
    ];
    for (const source of sources) {
      const tree = parser.parse(source);
      if (tree === null) throw new Error('no tree');
      const results = [direct, openPublicWalker].map((open) => {
        const walker = open(tree);
        const flattened = flattenTree(walker, named);
        walker.close();
        return flattened;
      });
      expect(results[0]).toEqual(results[1]);
      tree.delete();
    }
  });
});

describe('without the module’s own functions', () => {
  it('there is no direct walker', () => {
    expect(directWalker({})).toBeNull();
  });
});
