import type { Definition } from '#languages/index.js';
import type { ReadFile } from './read-stage.js';

/** The documentation of a definition as its author wrote it: docstring, or the comment above; marks of comments removed. */
export function documentationOf(file: ReadFile, definition: Definition): string | null {
  const { tree, facts } = file;
  if (facts.language === 'python') {
    const { bodyStart } = definition;
    if (bodyStart === null) return null;
    const docstring = facts.strings.find(({ isDoc, start }) => isDoc && start === bodyStart);
    return docstring === undefined ? null : docstring.value.trim();
  }
  const lead = tree.source.subarray(definition.start, definition.bodyStart ?? definition.end).toString('utf8');
  const comment = /^(?:\s*#\[[^\n]*\]\n)*\s*(\/\*\*[\s\S]*?\*\/|(?:[ \t]*\/\/\/?[^\n]*\n)+)/.exec(lead)?.[1];
  if (comment === undefined) return null;
  const text = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/[/!]?) ?/, ''))
    .join('\n')
    .trim();
  return text === '' ? null : text;
}
