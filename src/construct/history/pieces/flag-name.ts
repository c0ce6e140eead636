/**
 * A string literal that names something, as command-line options and configuration keys do: `--color`, `max-results`,
 * `X-Request-Id`. Such names count as identifiers. A double dash before a name of several parts goes, so that an option's
 * definition and its use are one name. Null for other text.
 */
export function flagName(literal: string): string | null {
  const match = /^(--)?([A-Za-z]\w*(?:-\w+)*)$/.exec(literal);
  if (match === null || literal.length > 48) return null;
  const name = match[2] ?? '';
  if (name.includes('-')) return name;
  return match[1] === undefined ? null : literal;
}

/** The text of a literal as it stands in the source, without its quotes. */
export function literalText(token: string): string {
  return token.replace(/^[a-zA-Z]*(?:"""|'''|["'`])|(?:"""|'''|["'`])$/g, '');
}
