import type { LanguageRules } from './rules.js';
import type { NodeId, SyntaxTree } from './syntax-tree.js';

const MAX_LEADS = 256;
const MAX_SIGNATURE = 2_000;

/**
 * Text position where a definition begins with the comments, attributes and decorators that stand right above it.
 * A comment at the end of another statement's line is that statement's.
 */
export function leadStart(tree: SyntaxTree, rules: LanguageRules, node: NodeId): number {
  const { text } = tree;
  let start = tree.textStartOf(node);
  let lead = tree.previousSiblingOf(node);
  for (let seen = 0; lead !== null && seen < MAX_LEADS; seen += 1) {
    if (!rules.leads.has(tree.typeOf(lead))) break;
    const between = text.slice(tree.textEndOf(lead), start);
    if (between.trim() !== '' || linesIn(between) > (text[tree.textEndOf(lead) - 1] === '\n' ? 0 : 1)) break;
    const above = tree.previousSiblingOf(lead);
    if (rules.comments.has(tree.typeOf(lead)) && !startsLine(text, tree.textStartOf(lead))) break;
    start = tree.textStartOf(lead);
    lead = above;
  }
  return start;
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

function startsLine(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return text.slice(lineStart, at).trim() === '';
}

/** The head of a definition: from `head` to the body, without comments, white space folded. */
export function signatureOf(tree: SyntaxTree, rules: LanguageRules, head: NodeId, body: NodeId | null): string {
  const end = body === null ? tree.textEndOf(head) : tree.textStartOf(body);
  const start = tree.textStartOf(head);
  const pieces: string[] = [];
  let at = start;
  const limit = Math.min(end, start + MAX_SIGNATURE * 4);
  for (let node = head + 1; node < tree.subtreeEndOf(head) && tree.textStartOf(node) < limit; node += 1) {
    if (!rules.comments.has(tree.typeOf(node))) continue;
    pieces.push(tree.text.slice(at, tree.textStartOf(node)));
    at = tree.textEndOf(node);
  }
  if (at < limit) pieces.push(tree.text.slice(at, limit));
  return foldSignature(pieces.join(' '));
}

/** The head of a definition, without comments, as one line that ends before its body. */
export function foldSignature(head: string): string {
  const folded = foldSpace(head);
  return (folded.length > MAX_SIGNATURE ? `${folded.slice(0, MAX_SIGNATURE)}…` : folded)
    .replace(/\s*(?:[:={]|=>|;|,)$/, '')
    .trim();
}

/** One line: runs of white space become one blank, none at brackets' inner edges; string literals stay as they are. */
export function foldSpace(text: string): string {
  return text
    .replace(
      /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`)|([([])\s+|\s*,?\s+([)\]])|\s+/g,
      (_all, literal, open, close) => literal ?? open ?? close ?? ' ',
    )
    .trim();
}
