/** A path as git and the kernel know it: bytes. Never decoded to be used, only to be shown. */
export type PathBytes = Buffer;

/**
 * A path as a lossless string key: latin-1, one character per byte, so that maps and JSON carry any path.
 * Distinct paths have distinct keys; ASCII paths look like themselves.
 */
export function pathKey(path: PathBytes): string {
  return path.toString('latin1');
}

/** The bytes behind a `pathKey`. */
export function pathBytes(key: string): PathBytes {
  return Buffer.from(key, 'latin1');
}

/**
 * For a person to read: UTF-8 where it is UTF-8, otherwise with the odd bytes as `\xNN`; control characters, and those
 * that turn the direction of text, as escapes. Never used to open anything.
 */
export function showPath(path: PathBytes): string {
  const text = path.toString('utf8');
  const readable = Buffer.from(text, 'utf8').equals(path)
    ? text
    : [...path]
        .map((byte) =>
          byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
        )
        .join('');
  return readable.replace(/[\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (control) => {
    const code = control.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
