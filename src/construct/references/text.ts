/** Bytes beyond which a file is compared whole and never by lines. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** True for what can be compared line by line: no NUL near the start (git's own rule), not huge. */
export function isText(content: Buffer): boolean {
  return content.length <= MAX_TEXT_BYTES && !content.subarray(0, 8_000).includes(0);
}

/** Bytes as a person reads them, cut to so many lines and columns. */
export function showHunk(lines: readonly string[], mark: string, maxLines = 6): string[] {
  const shown = lines.slice(0, maxLines).map((line) => {
    const text = Buffer.from(line, 'latin1')
      .toString('utf8')
      .replace(/[\r\n]+$/, '');
    return `${mark}${text.length > 100 ? `${text.slice(0, 100)}…` : text}`;
  });
  return lines.length > maxLines ? [...shown, `${mark}… (${lines.length - maxLines} more lines)`] : shown;
}
