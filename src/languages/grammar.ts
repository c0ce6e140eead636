import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { Fault, messageOf } from '#kernel/faults.js';
import type { LanguageName } from './language-name.js';
import { directWalker, type OpenWalker, openPublicWalker } from './tree-walker.js';

/** A grammar ready to parse. One parser a grammar is enough: parsing is synchronous. */
export interface LoadedGrammar {
  name: LanguageName;
  parser: Parser;
  /** Node type name by type id; type ids of error nodes are outside this list. */
  typeNames: readonly string[];
  named: readonly boolean[];
  fieldNames: readonly (string | null)[];
  openWalker: OpenWalker;
}

const loading = new Map<LanguageName, Promise<LoadedGrammar>>();
let started: Promise<OpenWalker> | null = null;

/**
 * Loads a language's grammar once (5-10 ms).
 * @throws Fault `grammar-missing` (environment)
 */
export function loadGrammar(name: LanguageName): Promise<LoadedGrammar> {
  const held = loading.get(name);
  if (held !== undefined) return held;
  const fresh = load(name);
  loading.set(name, fresh);
  return fresh;
}

async function load(name: LanguageName): Promise<LoadedGrammar> {
  try {
    started ??= start();
    const openWalker = await started;
    const file = createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`);
    const grammar = await Grammar.load(new Uint8Array(await readFile(file)));
    const parser = new Parser();
    parser.setLanguage(grammar);
    return {
      name,
      parser,
      typeNames: grammar.types,
      named: grammar.types.map((_type, id) => grammar.nodeTypeIsNamed(id)),
      fieldNames: grammar.fields,
      openWalker,
    };
  } catch (cause) {
    throw new Fault({
      code: 'grammar-missing',
      kind: 'environment',
      message: `the grammar of ${name} cannot be loaded: ${messageOf(cause)}`,
      hint: 'Install the dependencies again (npm ci).',
      cause,
    });
  }
}

async function start(): Promise<OpenWalker> {
  // The options object becomes the parser's module and so shows its functions.
  const module: Record<string, unknown> = {};
  await Parser.init(module);
  return directWalker(module) ?? openPublicWalker;
}
