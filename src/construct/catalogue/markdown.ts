import { pathBytes, showPath } from '#kernel/bytes.js';

/** Text of other people as one line of Markdown: nothing in it is markup, a link, a table's edge or a control character. */
export function plain(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, (mark) => `\\${mark}`)
    .replace(/:\/\//g, ':&#47;&#47;')
    .trim();
}

/** A name as code. */
export function code(text: string): string {
  const shown = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/\|/g, '¦');
  const fence = '`'.repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A path key as code. */
export function codePath(key: string): string {
  return code(showPath(pathBytes(key)));
}
