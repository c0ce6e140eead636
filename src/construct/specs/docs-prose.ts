import { asSentence, sentencesOf, specSentence } from './clean-prose.js';
import type { StageMaterial } from './material.js';

/** Manual pages are typeset by marks of their own; licences and lists of people say nothing on behaviour. */
const NO_PROSE = /\.\d$|(?:^|\/)(?:licen[cs]e|copying|notice|authors|contributors|maintainers|code_of_conduct)[^/]*$/i;

/** Sentences that the stage's prose gained: changelog entries first, then manuals. Code examples are left to the manuals. */
export function docsProse(docs: StageMaterial['docs']): { changelog: string[]; manual: string[] } {
  const isChangelog = (path: string): boolean => /(?:^|\/)(?:change|history|news|release)[^/]*$/i.test(path);
  const told = (chosen: typeof docs): string[] =>
    chosen
      .filter(({ path }) => !NO_PROSE.test(path))
      .flatMap(({ before, after }) => gainedSentences(before.toString('utf8'), after.toString('utf8')));
  return {
    changelog: told(docs.filter(({ path }) => isChangelog(path))),
    manual: told(docs.filter(({ path }) => !isChangelog(path))),
  };
}

/** Sentences of a text that an earlier text does not have, in order. */
export function gainedSentences(before: string, after: string): string[] {
  const old = new Set(blocksOf(before).flatMap(sentencesOf).map(wordsOf));
  const gained = new Set<string>();
  for (const sentence of blocksOf(after).flatMap(sentencesOf)) {
    if (old.has(wordsOf(sentence))) continue;
    const kept = specSentence(sentence);
    if (kept !== null && kept.split(/\s+/).length >= 3) gained.add(asSentence(kept));
  }
  return [...gained];
}

/** A sentence's words alone: other marks, quotes or line breaks make no new sentence. */
function wordsOf(sentence: string): string {
  return (sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ');
}

/** Paragraphs and list items of Markdown or reStructuredText; headings, directives, tables, code are none. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fenced = false;
  let codeIndent = -1;
  const close = (): void => {
    if (open.length > 0) blocks.push(open.join(' '));
    open = [];
  };
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    const indent = line.length - line.trimStart().length;
    if (/^(?:```|~~~)/.test(trimmed)) {
      close();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    if (trimmed === '') {
      close();
      continue;
    }
    if (codeIndent >= 0 && indent > codeIndent) continue;
    codeIndent = -1;
    if (isMarkup(trimmed)) {
      close();
      // What is indented below a directive or `::` belongs to it; notes are prose all the same.
      if (/^\.\. (?!versionadded|versionchanged|deprecated|note|warning|admonition)/.test(trimmed)) codeIndent = indent;
      continue;
    }
    const bullet = /^(?:[-*+]|\d+\.)\s+(.*)$/.exec(trimmed);
    if (bullet !== null) close();
    open.push((bullet?.[1] ?? trimmed).replace(/::$/, ':'));
    if (trimmed.endsWith('::')) {
      close();
      codeIndent = indent;
    }
  }
  close();
  return blocks;
}

function isMarkup(line: string): boolean {
  return (
    /^(?:#{1,6}\s|\.\. |:\w+[^:`]*:(?:\s|$)|[=\-~^"'+*#]{3,}$|\||>>>|\$ |<!--|import\s|\{[%{])/.test(line) ||
    /^(?:version|unreleased|released?|\[?v?\d+\.\d+)[\s\S]{0,30}$/i.test(line)
  );
}
