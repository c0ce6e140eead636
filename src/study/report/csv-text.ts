/**
 * One field of a CSV file (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front;
 * numbers stay numbers. Null is the empty field.
 */
export function csvField(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[\s\u0000]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n\t;']/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}

/** Lines of a CSV file, each ended with CRLF as the format has it. */
export function csvLines(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}
