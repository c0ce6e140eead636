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

/** Cut to `most` characters with an ellipsis in the middle, where names of one family differ least. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`;
}
