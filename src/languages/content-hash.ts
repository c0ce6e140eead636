import { createHash } from 'node:crypto';
import type { LanguageRules } from './rules.js';
import type { NodeId, SyntaxTree } from './syntax-tree.js';

/** A file's tokens without comments and white space, sliced by node. */
export interface TokenStream {
  /** SHA-256 (hex, 16 characters) of the tokens of the node and its descendants. */
  hashOf(node: NodeId): string;
}

const BREAK = '\x1f';

/**
 * Writes all tokens once, with the place where each node's begin. String literals are one token each, as written.
 * Where layout carries meaning (Python), the ends of blocks and statements are tokens too.
 */
export function tokenStream(tree: SyntaxTree, rules: LanguageRules): TokenStream {
  const { count, text } = tree;
  // Where a node's tokens begin, and where those of whatever ends before this index end: between them lie ends of blocks.
  const begins = new Uint32Array(count + 1);
  const ends = new Uint32Array(count + 1);
  const parts: string[] = [];
  let length = 0;
  let consumed = 0;
  const push = (token: string): void => {
    parts.push(token, BREAK);
    length += token.length + 1;
  };
  const flags = tokenFlags(tree, rules);
  const blockEnds: number[] = [];
  let node = 0;
  while (node < count) {
    const flag = flags[tree.typeIdOf(node)] ?? 0;
    const end = tree.subtreeEndOf(node);
    ends[node] = length;
    if (flag === COMMENT) {
      consumed = Math.max(consumed, tree.textEndOf(node));
      begins[node] = length;
      ends.fill(length, node, end);
      node = end;
      continue;
    }
    while (blockEnds.length > 0 && (blockEnds[blockEnds.length - 1] as number) <= node) {
      blockEnds.pop();
      push('}');
    }
    begins[node] = length;
    if (flag === BLOCK) {
      blockEnds.push(end);
      push('{');
    } else if (blockEnds.length > 0 && flags[tree.typeIdOf(tree.parentOf(node) ?? 0)] === BLOCK) push(';');
    if (flag !== WHOLE && end > node + 1) {
      node += 1;
      continue;
    }
    const start = tree.textStartOf(node);
    // Tokens that the grammar keeps out of the tree still belong to the text.
    if (hasInk(text, consumed, start)) push(text.slice(consumed, start).trim());
    if (tree.textEndOf(node) > start) push(text.slice(start, tree.textEndOf(node)));
    consumed = Math.max(consumed, tree.textEndOf(node));
    begins.fill(length, node + 1, end);
    ends.fill(length, node + 1, end);
    node = end;
  }
  ends[count] = length;
  const stream = parts.join('');
  return {
    hashOf: (of) =>
      createHash('sha256')
        .update(stream.slice(begins[of], ends[tree.subtreeEndOf(of)]))
        .digest('hex')
        .slice(0, 16),
  };
}

function hasInk(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) > 0x20) return true;
  return false;
}

const COMMENT = 1;
const WHOLE = 2;
const BLOCK = 3;

const flagsOf = new WeakMap<LanguageRules, Uint8Array>();

function tokenFlags(tree: SyntaxTree, rules: LanguageRules): Uint8Array {
  const known = flagsOf.get(rules);
  if (known !== undefined) return known;
  const flags = new Uint8Array(tree.typeCount);
  for (let id = 0; id < flags.length; id += 1) {
    if (!tree.isNamedType(id)) continue;
    const name = tree.typeNameOf(id);
    if (rules.comments.has(name)) flags[id] = COMMENT;
    else if (name in rules.strings) flags[id] = WHOLE;
    else if (rules.layoutBlocks.has(name)) flags[id] = BLOCK;
  }
  flagsOf.set(rules, flags);
  return flags;
}
