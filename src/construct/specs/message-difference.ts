import type { NodeId, StringLiteral, SyntaxTree } from '#languages/index.js';
import type { ContractEntry } from './material.js';
import type { ReadFile, StageReading } from './read-stage.js';

/**
 * Entries for texts that the stage's source brings and F2P tests expect: error messages, output, values of options.
 * A text is expected where a test's literal is it, contains a telling part of it, or is a telling part of it.
 */
export function messageDifference(reading: StageReading): ContractEntry[] {
  const entries = new Map<string, ContractEntry>();
  for (const [path, file] of reading.after) {
    const old = new Set(reading.before.get(path)?.facts.strings.map(({ value }) => value) ?? []);
    const ours = file.facts.strings.filter(
      (literal) => !literal.isDoc && !old.has(literal.value) && isText(file, literal),
    );
    for (const literal of ours) {
      const expecting = [...reading.usage.literals].filter((expected) => expects(expected, literal.value));
      if (expecting.length === 0 || entries.has(literal.value)) continue;
      entries.set(literal.value, textEntry(file, literal, expecting));
    }
  }
  return [...entries.values()];
}

const MAX_TEXT = 240;

function textEntry(file: ReadFile, literal: StringLiteral, needed: string[]): ContractEntry {
  const isFlag = /^--?[A-Za-z][\w-]*$/.test(literal.value);
  // A long text is the reference's own; what tests look for in it is what has to be there.
  const longest = [...needed].sort((a, b) => b.length - a.length)[0] ?? literal.value;
  const name = literal.value.length > MAX_TEXT ? longest : withPlainHoles(literal.value);
  return {
    kind: isFlag ? 'flag' : literal.inError ? 'message' : 'text',
    name,
    module: null,
    signature: null,
    value: null,
    error: literal.inError ? errorTypeAt(file, literal) : null,
    examples: literal.value.length > MAX_TEXT ? [] : examplesOf(literal.value, needed),
    change: 'new',
    needed: isFlag ? [literal.value] : needed,
  };
}

/** Up to three expectations that show how holes are filled, the longest first. */
function examplesOf(text: string, expected: readonly string[]): string[] {
  const parts = fixedParts(text);
  if (parts.length === 1 && parts[0] === text.trim()) return [];
  const filled = expected.filter((one) => one.length < 200 && !parts.some((part) => part.includes(one.trim())));
  return filled.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 3);
}

/** Where a text is filled in: `${…}`, `{…}`, `%s`, `%(name)s`. */
const HOLE = /\$\{[^}]*\}|\{[^{}\s"']*\}|%\([\w.]+\)[a-z]|%[-+#0-9.]*[sdifvqxT]|%w/;

/** The text with `{name}` for what is filled in, or `{…}` where that has no name of its own that is anybody's to know. */
function withPlainHoles(text: string): string {
  return text.replace(new RegExp(HOLE, 'g'), (hole) => {
    if (hole.startsWith('%') && !hole.startsWith('%(')) return '{…}';
    const inner = hole.replace(/^(?:\$\{|\{|%\()|(?:\}|\)[a-z])$/g, '').replace(/[!:].*$/, '');
    const last = /([A-Za-z][\w]*)$/.exec(inner)?.[1];
    return inner === last || (last !== undefined && /^[\w.]+$/.test(inner) && !/\b_/.test(inner)) ? `{${last}}` : '{…}';
  });
}

/** Literals that are no text of the program: module names, test code, keys of a type test. */
function isText(file: ReadFile, literal: StringLiteral): boolean {
  if (!/[\p{L}\p{N}]/u.test(literal.value)) return false;
  if (file.facts.imports.some(({ start, end }) => literal.start >= start && literal.end <= end)) return false;
  if (file.facts.definitions.some(({ inTest, start, end }) => inTest && literal.start >= start && literal.end <= end))
    return false;
  const before = file.tree.source.subarray(Math.max(0, literal.start - 40), literal.start).toString('latin1');
  return !/typeof\s+[\w$.]+\s*[!=]==?\s*$/.test(before);
}

/** Parts of a text between its holes, without white space at their ends. */
export function fixedParts(text: string): string[] {
  return text
    .split(new RegExp(HOLE, 'g'))
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

const TELLING = 6;

/** Words of platforms, protocols and languages that everybody knows. */
const COMMON = new Set(
  'win32 darwin linux nt posix utf-8 utf8 latin-1 ascii GET HEAD POST PUT DELETE PATCH OPTIONS true false null undefined object string number boolean function symbol strict'.split(
    ' ',
  ),
);

/** Whether a test's literal expects a text of the source. Short texts must be equal: everything contains an `a`. */
export function expects(expected: string, text: string): boolean {
  if (COMMON.has(text)) return false;
  const parts = fixedParts(text);
  const hasHoles = parts.length !== 1 || parts[0] !== text.trim();
  if (!hasHoles && expected === text) return true;
  const wanted = expected.replace(/\\([^\w\s])/g, '$1').trim();
  if (parts.some((part) => isTellingPart(wanted, part))) return true;
  if (!hasHoles) return text.trim().length >= TELLING && wanted.includes(text.trim());
  return parts.some((part) => part.length >= TELLING) && containsInOrder(wanted, parts, text);
}

/** A piece of a message that a test looks for: several words, or a word that is a good part of it. */
function isTellingPart(wanted: string, part: string): boolean {
  if (wanted.length < TELLING || !/\p{L}{3}/u.test(wanted) || !part.includes(wanted)) return false;
  return /\S\s+\S/.test(wanted) || wanted.length * 4 >= part.length;
}

function containsInOrder(wanted: string, parts: readonly string[], text: string): boolean {
  let at = 0;
  for (const part of parts) {
    const found = wanted.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  // A single word at the end of a text is easily met elsewhere; it must then end what is expected too.
  const last = parts[parts.length - 1] as string;
  return /\s/.test(last) || parts.length > 1 || !text.trim().endsWith(last) || at === wanted.length;
}

/** The call or construction that a message is told by: `BadParameter` of `raise BadParameter("…")`. */
function errorTypeAt({ tree }: ReadFile, literal: StringLiteral): string | null {
  const node = nodeAt(tree, literal);
  let above = node === null ? null : tree.parentOf(node);
  for (let hops = 0; above !== null && hops < 12; hops += 1) {
    const called =
      tree.childByField(above, 'function') ??
      tree.childByField(above, 'constructor') ??
      tree.childByField(above, 'macro');
    const name = called === null ? null : (/([A-Za-z_]\w*)$/.exec(tree.textOf(called))?.[1] ?? null);
    const isType =
      name !== null &&
      /^[A-Z]/.test(name) &&
      !/printf|format|^(?:Err|Error|Errorf|New|Some|Ok|Promise|String)$/i.test(name);
    if (isType) return name;
    above = tree.parentOf(above);
  }
  return null;
}

function nodeAt(tree: SyntaxTree, { start, end }: StringLiteral): NodeId | null {
  for (let node = 0; node < tree.count; node += 1)
    if (tree.startOf(node) === start && tree.endOf(node) === end) return node;
  return null;
}
