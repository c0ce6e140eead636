/** Words, runs of blanks, and single other characters: joining them gives the text back. */
export function tokensOf(text: string): string[] {
  return text.match(/[A-Za-z0-9_$\u0080-\u00ff]+|\s+|[^\sA-Za-z0-9_$\u0080-\u00ff]/g) ?? [];
}

/** Share of tokens that two texts have in common (Dice coefficient over multisets, blanks left out): 0 to 1. */
export function similarity(a: string, b: string): number {
  const words = (text: string): string[] => tokensOf(text).filter((token) => token.trim() !== '');
  const [left, right] = [words(a), words(b)];
  if (left.length + right.length === 0) return a === b ? 1 : 0;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    common += 1;
  }
  return (2 * common) / (left.length + right.length);
}

const ALIKE = 0.5;
/** Lines on a side beyond which no pairing is tried. */
const MAX_LINES = 120;

/** Pairs lines of an edit's old side with the lines they became, in order, so that the likeness is greatest. */
export function pairSimilar(before: readonly string[], after: readonly string[]): { before: number; after: number }[] {
  if (before.length > MAX_LINES || after.length > MAX_LINES) return [];
  const width = after.length + 1;
  const alike = (i: number, j: number): number => {
    const likeness = similarity(before[i] ?? '', after[j] ?? '');
    return likeness >= ALIKE ? likeness : 0;
  };
  const scores = new Float64Array((before.length + 1) * width);
  const likenesses = new Float64Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const likeness = alike(i, j);
      likenesses[i * width + j] = likeness;
      const paired = likeness === 0 ? 0 : likeness + (scores[(i + 1) * width + j + 1] ?? 0);
      scores[i * width + j] = Math.max(paired, scores[(i + 1) * width + j] ?? 0, scores[i * width + j + 1] ?? 0);
    }
  }
  const pairs: { before: number; after: number }[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const here = scores[i * width + j] ?? 0;
    const likeness = likenesses[i * width + j] ?? 0;
    if (likeness > 0 && here === likeness + (scores[(i + 1) * width + j + 1] ?? 0)) {
      pairs.push({ before: i, after: j });
      i += 1;
      j += 1;
    } else if (here === (scores[(i + 1) * width + j] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** True where most words of `line` are among those that `text` has and `without` has not: the line was joined into it. */
export function standsWithin(line: string, text: string, without: string): boolean {
  const words = (of: string): string[] => tokensOf(of).filter((token) => /[A-Za-z0-9]/.test(token));
  const fresh = new Map<string, number>();
  for (const word of words(text)) fresh.set(word, (fresh.get(word) ?? 0) + 1);
  for (const word of words(without)) fresh.set(word, (fresh.get(word) ?? 0) - 1);
  const own = words(line);
  let found = 0;
  for (const word of own) {
    const count = fresh.get(word) ?? 0;
    if (count <= 0) continue;
    fresh.set(word, count - 1);
    found += 1;
  }
  return own.length > 0 && found >= 0.6 * own.length;
}
