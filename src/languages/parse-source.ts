import type { Unparsed } from './contract.js';
import { flattenTree } from './flatten-tree.js';
import { type LoadedGrammar, loadGrammar } from './grammar.js';
import type { LanguageName } from './language-name.js';
import { decodeSource } from './source-text.js';
import { SyntaxTree } from './syntax-tree.js';

/** Larger files are generated or data; nobody reviews them as code. */
export const MAX_SOURCE_BYTES = 1_000_000;

/**
 * How often the parser may report progress before it is stopped: ordinary code needs one report for 100-400 bytes.
 * A count instead of a clock, so that a file is given up on every machine or on none.
 */
function progressBudget(bytes: number): number {
  return 3_000 + Math.floor(bytes / 25);
}

/**
 * Parses source bytes into a tree of plain data: no memory of the parser is held afterwards.
 * @returns the tree, or why there is none
 */
export async function parseSource(
  language: LanguageName,
  source: Buffer,
): Promise<SyntaxTree | { unparsed: Unparsed }> {
  if (source.length > MAX_SOURCE_BYTES) return { unparsed: 'too-large' };
  if (source.includes(0)) return { unparsed: 'binary' };
  return parseLoaded(await loadGrammar(language), source);
}

function parseLoaded(grammar: LoadedGrammar, source: Buffer): SyntaxTree | { unparsed: Unparsed } {
  const decoded = decodeSource(source);
  let left = progressBudget(source.length);
  const progressCallback = (): boolean => {
    left -= 1;
    return left < 0;
  };
  const tree = grammar.parser.parse(decoded.text, null, { progressCallback });
  if (tree === null) {
    grammar.parser.reset();
    return { unparsed: 'gave-up' };
  }
  try {
    const walker = grammar.openWalker(tree);
    try {
      const { columns, parseErrors } = flattenTree(walker, grammar.named);
      return new SyntaxTree(grammar.name, source, decoded, grammar, columns, parseErrors);
    } finally {
      walker.close();
    }
  } finally {
    tree.delete();
  }
}
