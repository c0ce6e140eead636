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
  if (lost.length === 0) return [];
  const used = usedNames(after.lines);
  return lost.filter((name) => used.has(name)).sort();
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
