import { asSentence, cleanProse, specSentence } from './clean-prose.js';
import { codeSpan } from './code-span.js';
import { gainedSentences } from './docs-prose.js';
import { documentationOf } from './documentation.js';
import type { StageReading } from './read-stage.js';
import { visibleDefinitions } from './visible-definitions.js';

/** What the documentation of visible definitions gained: sentences and descriptions of parameters, told by name. */
export function apiProse(reading: StageReading): string[] {
  const statements: string[] = [];
  for (const [path, after] of reading.after) {
    const before = reading.before.get(path);
    const old = visibleDefinitions(before);
    for (const [name, definition] of visibleDefinitions(after)) {
      if (!definition.exported) continue;
      const text = documentationOf(after, definition);
      if (text === null) continue;
      const previous = old.get(name);
      const earlier = previous === undefined || before === undefined ? '' : (documentationOf(before, previous) ?? '');
      const shown = codeSpan(name.replace(/\.(?:__init__|constructor)$/, ''));
      for (const sentence of gainedStatements(earlier, text)) statements.push(`${shown}: ${sentence}`);
    }
  }
  // The same description of a parameter on ten methods is told once.
  const told = new Set<string>();
  return statements.filter((statement) => {
    const words = statement.replace(/^(`+).*?\1: /, '');
    return !told.has(words) && told.add(words);
  });
}

function gainedStatements(before: string, after: string): string[] {
  const [oldProse, oldFields] = splitFields(before);
  const [prose, fields] = splitFields(after);
  const described = [...fields]
    .filter(([name, text]) => oldFields.get(name) !== text)
    .flatMap(([name, text]) => {
      const kept = specSentence(text);
      return kept === null ? [] : [`${codeSpan(name)}: ${asSentence(kept)}`];
    });
  return [...gainedSentences(oldProse, prose), ...described];
}

/** `:param x: …`, `@param {T} x - …`, `- x: …` below Args are fields; examples and references are dropped. */
function splitFields(text: string): [string, Map<string, string>] {
  const fields = new Map<string, string>();
  const prose: string[] = [];
  let field: string | null = null;
  let skipping = false;
  for (const line of text.split('\n')) {
    const param =
      /^\s*(?::(?:param|parameter|arg|keyword|attr)\s+(?:[^:]*\s)?(\*{0,2}\w+):|@(?:param|arg|property|option)\s+(?:\{[^}]*\}\s*)?\[?([\w$.]+)(?:=[^\]]*)?\]?)\s*(?:-\s*)?(.*)$/.exec(
        line,
      );
    const tag = /^\s*(?::\w+[^:`]*:(?:\s|$)|@\w+)/.test(line);
    if (param !== null) {
      field = (param[1] ?? param[2] ?? '').replace(/^\*+/, '');
      fields.set(field, param[3] ?? '');
      skipping = false;
    } else if (tag) {
      const returns = /^\s*(?:@returns?|:returns?:)\s*(?:\{[^}]*\}\s*)?(.*)$/.exec(line);
      field = returns === null ? null : 'returns';
      if (returns !== null) fields.set('returns', returns[1] ?? '');
      skipping = returns === null;
    } else if (line.trim() === '') {
      field = null;
      // An example ends with its comment, not with a blank line.
      if (!skipping) prose.push('');
    } else if (field !== null) fields.set(field, `${fields.get(field) ?? ''} ${line.trim()}`.trim());
    else if (!skipping) prose.push(line);
  }
  return [prose.join('\n'), new Map([...fields].map(([name, described]) => [name, cleanProse(described)]))];
}
