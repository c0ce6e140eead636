import type { SyntaxFacts } from '#languages/index.js';

/** Heads of lines that declare a local name, in the four languages; definitions and imports come from the syntax tree. */
const LOCALS = [
  /\b(?:const|let|var)\s+(?:mut\s+)?([A-Za-z_$][\w$]+)/g,
  /^\s*([A-Za-z_$][\w$]+)\s*=(?!=)/g,
  /^\s*([A-Za-z_$][\w$]+)(?:\s*,\s*[A-Za-z_$][\w$]*)*\s*:=/g,
  /\b(?:as|for)\s+([A-Za-z_$][\w$]+)/g,
];
const DESTRUCTURED = /\b(?:const|let|var)\s*[{[]([^}\]]*)[}\]]/g;

export interface ReadText {
  lines: readonly string[];
  facts: SyntaxFacts;
}

/**
 * Names that a text uses and no longer declares, although the text it came from declares them: its code would fail
 * where it is reached.
 * @param before text that declares what it uses
 * @param after text made from it by taking lines away
 */
export function danglingNames(before: ReadText, after: ReadText): string[] {
  const kept = declaredNames(after);
  const lost = [...declaredNames(before)].filter((name) => !kept.has(name) && after.facts.identifiers.has(name));
  const used = lost.length === 0 ? new Set<string>() : usedNames(after.lines);
  return [...lost.filter((name) => used.has(name)), ...danglingAttributes(before, after)].sort();
}

/** Attributes that methods read from their own object and none gives to it any more. */
function danglingAttributes(before: ReadText, after: ReadText): string[] {
  const kept = new Set([
    ...after.facts.attributes.map(({ name }) => name),
    ...after.facts.definitions.map(({ name }) => name),
  ]);
  const lost = new Set(before.facts.attributes.map(({ name }) => name).filter((name) => !kept.has(name)));
  if (lost.size === 0) return [];
  const read = new Set<string>();
  for (const line of after.lines)
    for (const match of withoutText(line).matchAll(/\b(?:self|this)\.(#?[A-Za-z_$][\w$]*)/g))
      if (lost.has(match[1] ?? '')) read.add(`self.${match[1]}`);
  return [...read];
}

function declaredNames({ lines, facts }: ReadText): Set<string> {
  const names = new Set<string>();
  for (const definition of facts.definitions) {
    const isMember = ['method', 'field'].includes(definition.kind);
    if (!isMember) names.add(definition.name);
  }
  for (const statement of facts.imports) for (const name of statement.localNames) names.add(name);
  for (const line of lines) {
    if (line.length > 2_000) continue;
    const code = withoutText(line);
    for (const pattern of LOCALS) for (const match of code.matchAll(pattern)) names.add(match[1] ?? '');
    for (const match of code.matchAll(DESTRUCTURED))
      for (const item of (match[1] ?? '').split(','))
        names.add(/([A-Za-z_$][\w$]*)\s*(?:=.*)?$/.exec(item.trim())?.[1] ?? '');
  }
  names.delete('');
  return names;
}

/** Names used by themselves: no attribute, no key, no text, no comment. */
function usedNames(lines: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const line of lines) {
    if (line.length > 2_000) continue;
    const uses = /(?<![\w$.@#-])([A-Za-z_$][\w$]*)(?![\w$-]|\s*:(?!:)|\s*=(?![=>]))/g;
    for (const match of withoutText(line).matchAll(uses)) names.add(match[1] ?? '');
  }
  return names;
}

function withoutText(line: string): string {
  return line
    .trimEnd()
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g, '""')
    .replace(/(?:\/\/|#(?!\[)|^\s*\*).*$/, '');
}
