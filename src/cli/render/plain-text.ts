/** Text that cannot steer a terminal: control characters but newline and tab become visible escapes. */
export function plainText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
