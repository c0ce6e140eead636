const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])$/u;
const WIDTHLESS = /^(?:\p{M}|\u200c|\u200d)$/u;

/** Columns that text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (WIDTHLESS.test(character)) continue;
    width += character > '\u00ff' && WIDE.test(character) && !/^[\u2190-\u2bff©®]$/u.test(character) ? 2 : 1;
  }
  return width;
}

/** Text filled up with blanks to a width, left or right aligned. */
export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + blanks : blanks + text;
}
