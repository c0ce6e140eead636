import { visibleText } from './visible-text.js';

/** Text of others inside Markdown (a table cell, a heading, a list item): shown as it is, never read as markup. */
export function markdownText(text: string): string {
  return visibleText(text)
    .replace(/[\\`*_{}[\]()#!|~:@^$]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\bwww\./gi, (found) => found.replace('.', '\\.'));
}
