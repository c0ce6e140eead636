import { displayWidth } from './display-width.js';

/**
 * Text of others made harmless to look at: control characters (which move cursors, colour or clear terminals) and
 * direction overrides (which show a name in another order than it has) become visible escapes. Everything printed
 * goes through here first and through its target's own escaping second.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (hidden) => {
      const code = hidden.charCodeAt(0);
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
    },
  );
}

/** A name for a narrow place: visible, and cut to `most` columns with an ellipsis in the middle, where names of one family differ least. */
export function shortName(name: string, most: number): string {
  const text = visibleText(name);
  if (displayWidth(text) <= most) return text;
  const characters = [...text];
  const head = takeWidth(characters, Math.ceil((most - 1) / 2));
  const tail = takeWidth([...characters].reverse(), Math.floor((most - 1) / 2));
  return `${head.join('')}…${tail.reverse().join('')}`;
}

function takeWidth(characters: readonly string[], most: number): string[] {
  const taken: string[] = [];
  let width = 0;
  for (const character of characters) {
    width += displayWidth(character);
    if (width > most) break;
    taken.push(character);
  }
  return taken;
}
