const BLOCK = 8_192;

/** Number of equal bytes at the beginning of both. */
export function commonPrefix(a: Buffer, b: Buffer): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit) {
    const end = Math.min(limit, at + BLOCK);
    if (a.compare(b, at, end, at, end) !== 0)
      return narrowed(at, end, (middle) => a.compare(b, at, middle, at, middle) === 0);
    at = end;
  }
  return limit;
}

/** Number of equal bytes at the end of both. */
export function commonSuffix(a: Buffer, b: Buffer): number {
  const limit = Math.min(a.length, b.length);
  const equal = (from: number, to: number): boolean =>
    a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0;
  let at = 0;
  while (at < limit) {
    const end = Math.min(limit, at + BLOCK);
    const from = at;
    if (!equal(from, end)) return narrowed(from, end, (middle) => equal(from, middle));
    at = end;
  }
  return limit;
}

/** The largest number from `low` on that holds; `low` does, `high` does not. */
function narrowed(low: number, high: number, holds: (middle: number) => boolean): number {
  let known = low;
  let limit = high;
  while (limit - known > 1) {
    const middle = (known + limit) >> 1;
    if (holds(middle)) known = middle;
    else limit = middle;
  }
  return known;
}
