/** Text as a Markdown code span on one line: control characters as escapes, enough backticks around. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f]/g, escapeControl);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0 && line !== '') return `\`${line}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

function escapeControl(control: string): string {
  const named: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
  return named[control] ?? `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** All code spans of a Markdown line, in order. */
export function codeSpansIn(line: string): string[] {
  const spans: string[] = [];
  for (const match of line.matchAll(/(`+)(.+?)\1(?!`)/g)) {
    const inner = match[2] as string;
    spans.push(
      (match[1] as string).length > 1 && inner.startsWith(' ') && inner.endsWith(' ') ? inner.slice(1, -1) : inner,
    );
  }
  return spans;
}

/** Text as it is compared with what stands in a spec: escapes of control characters undone, white space folded. */
export function comparableText(text: string): string {
  return text
    .replace(/\\[ntr]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
