import { analyseSource, type SyntaxFacts } from '#languages/index.js';
import { danglingNames } from './dangling-names.js';
import { splitLines } from './diff-lines.js';

/**
 * What is wrong with code that lines were taken out of, as far as its text tells: more syntax errors than the text it
 * came from and the text in history have, or names whose declaration went. Null where nothing is, or nothing is known.
 */
export async function findFlaw(
  path: string,
  texts: { before: Buffer; after: Buffer; history: Buffer | null },
): Promise<string | null> {
  const after = await read(path, texts.after);
  if (after === null) return null;
  const before = await read(path, texts.before);
  const history = texts.history === null ? null : await read(path, texts.history);
  const errors = Math.max(before?.facts.parseErrors ?? 0, history?.facts.parseErrors ?? 0);
  if (after.facts.parseErrors > errors) return 'what is left without the lines of the commit is no valid code';
  if (before === null) return null;
  // What dangled in history already is not this removal's doing.
  const known = history === null ? [] : danglingNames(before, history);
  const dangling = danglingNames(before, after).filter((name) => !known.includes(name));
  if (dangling.length === 0) return null;
  return `what is left uses ${dangling.slice(0, 3).join(', ')}, which only the commit declares`;
}

async function read(path: string, content: Buffer): Promise<{ lines: string[]; facts: SyntaxFacts } | null> {
  const facts = await analyseSource(path, content);
  return facts === null || 'unparsed' in facts ? null : { lines: splitLines(content), facts };
}
