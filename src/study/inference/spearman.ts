/** Spearman's rank correlation, ties sharing their mean rank. Null for fewer than two pairs or where one side is constant. */
export function spearman(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < 2) return null;
  const left = ranks(pairs.map(([value]) => value));
  const right = ranks(pairs.map(([, value]) => value));
  const middle = (pairs.length + 1) / 2;
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (const [place, rank] of left.entries()) {
    const a = rank - middle;
    const b = (right[place] ?? middle) - middle;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return leftSquares === 0 || rightSquares === 0 ? null : product / Math.sqrt(leftSquares * rightSquares);
}

function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const same = values.filter((other) => other === value).length;
    return below + (same + 1) / 2;
  });
}
