/** Tokens of code in any of the languages: names, numbers, string literals as one, single marks. White space is nothing. */
export function codeTokens(text: string): string[] {
  return (
    text.match(
      /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[^\s\p{L}\p{N}]/gu,
    ) ?? []
  );
}

/** Runs of `length` tokens of a list, as keys. */
export function tokenRuns(tokens: readonly string[], length: number): string[] {
  const runs: string[] = [];
  for (let at = 0; at + length <= tokens.length; at += 1) runs.push(tokens.slice(at, at + length).join('\u0001'));
  return runs;
}
