/**
 * Text that cannot steer a terminal: control characters but newline and tab become visible escapes, and so do those that
 * turn the direction of text, with which a name is shown in another order than it has.
 */
export function plainText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (control) => {
      const code = control.charCodeAt(0);
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
    },
  );
}
