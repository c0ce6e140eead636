import { languageOf, type NodeId, type SyntaxTree } from '#languages/index.js';

export const MUTATIONS = [
  'comparison',
  'boolean',
  'number',
  'logic',
  'negation',
  'arithmetic',
  'string',
  'return',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** One changed line of source that still parses. */
export interface Defect {
  path: string;
  mutation: Mutation;
  /** From 1. */
  line: number;
  before: string;
  after: string;
}

/** What a token becomes. Types of tree-sitter tokens are their own text, the same in every language that has them. */
const SWAPS: Partial<Record<Mutation, Record<string, string>>> = {
  comparison: {
    '===': '!==',
    '!==': '===',
    '==': '!=',
    '!=': '==',
    '<': '>=',
    '>=': '<',
    '>': '<=',
    '<=': '>',
    is: 'is not',
    'is not': 'is',
  },
  boolean: { true: 'false', false: 'true', True: 'False', False: 'True' },
  logic: { '&&': '||', '||': '&&', and: 'or', or: 'and', '??': '&&' },
  arithmetic: { '+': '-', '-': '+', '*': '+', '+=': '-=', '-=': '+=', '++': '--', '--': '++' },
};
const NUMBERS = new Set(['number', 'integer', 'integer_literal', 'int_literal']);
const STRINGS = new Set(['string', 'string_literal', 'interpreted_string_literal']);
const NEGATIONS = new Set(['!', 'not']);
/** Not code that runs: changing it would change nothing, or keep the file from loading at all. */
const BESIDE = /comment|import|export_clause|type_annotation|type_arguments|type_parameters|decorator|attribute_item/;
const QUOTES = /^[A-Za-z]*(["'])(?!\1\1).*\1$/s;

/**
 * Every way to spoil one of the given lines (numbered from 1) by one token, kept only where the file parses no worse.
 * Strings and comments are never looked into. The order is that of the file.
 */
export async function findDefects(path: string, source: Buffer, lines: readonly number[]): Promise<Defect[]> {
  const language = languageOf(path);
  const tree = await language?.parse(source);
  if (language === null || tree === undefined || 'unparsed' in tree) return [];
  const wanted = new Set(lines);
  const text = tree.text;
  const starts = lineStarts(text);
  const defects: Defect[] = [];
  for (const edit of edits(tree)) {
    const line = lineAt(starts, edit.start);
    if (!wanted.has(line) || lineAt(starts, Math.max(edit.start, edit.end - 1)) !== line) continue;
    const spoilt = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    const again = await language.parse(Buffer.from(spoilt, 'utf8'));
    if ('unparsed' in again || again.parseErrors > tree.parseErrors) continue;
    const [before, after] = [lineText(text, line), lineText(spoilt, line)];
    if (before !== after) defects.push({ path, mutation: edit.mutation, line, before, after });
  }
  return defects;
}

/** The text of line `line` (from 1), without its end. */
export function lineText(text: string, line: number): string {
  return text.split('\n')[line - 1] ?? '';
}

interface Edit {
  mutation: Mutation;
  start: number;
  end: number;
  text: string;
}

function* edits(tree: SyntaxTree): Generator<Edit> {
  for (let node: NodeId = 0; node < tree.count; ) {
    const type = tree.typeOf(node);
    if (BESIDE.test(type)) {
      node = tree.subtreeEndOf(node);
      continue;
    }
    const edit = editOf(tree, node, type);
    if (edit !== null) yield { start: tree.textStartOf(node), end: tree.textEndOf(node), ...edit };
    node = STRINGS.has(type) ? tree.subtreeEndOf(node) : node + 1;
  }
}

function editOf(
  tree: SyntaxTree,
  node: NodeId,
  type: string,
): (Pick<Edit, 'mutation' | 'text'> & Partial<Edit>) | null {
  const text = tree.textOf(node);
  if (NUMBERS.has(type))
    return /^[0-9]{1,15}$/.test(text) ? { mutation: 'number', text: String(Number(text) + 1) } : null;
  if (STRINGS.has(type)) {
    const quote = QUOTES.exec(text)?.[1];
    const isDoc = tree.typeOf(tree.parentOf(node) ?? 0) === 'expression_statement';
    return quote === undefined || text.length <= 2 || isDoc ? null : { mutation: 'string', text: `${quote}${quote}` };
  }
  if (type === 'return_statement' || type === 'return_expression') {
    const value = tree.childOfType(node, 'return');
    const rest = value === null ? '' : text.slice(tree.textEndOf(value) - tree.textStartOf(node));
    return /^[\s;]*$/.test(rest) ? null : { mutation: 'return', text: rest.endsWith(';') ? 'return;' : 'return' };
  }
  if (tree.firstChildOf(node) !== null) return null;
  if (NEGATIONS.has(type)) {
    const blanks = /^\s*/.exec(tree.text.slice(tree.textEndOf(node)))?.[0].length ?? 0;
    return { mutation: 'negation', text: '', end: tree.textEndOf(node) + blanks };
  }
  for (const [mutation, swaps] of Object.entries(SWAPS)) {
    const swap = Object.hasOwn(swaps, text) ? swaps[text] : undefined;
    if (swap !== undefined) return { mutation: mutation as Mutation, text: swap };
  }
  return null;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low + 1;
}
