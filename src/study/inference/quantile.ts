/**
 * The quantile of sorted numbers by linear interpolation between order statistics (Hyndman and Fan, type 7).
 * Null of nothing is null.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number | null {
  const last = sorted.length - 1;
  if (last < 0) return null;
  const place = Math.min(Math.max(share, 0), 1) * last;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (place - Math.floor(place));
}

/** Quantiles of unsorted numbers, in the order asked for; null where there are no numbers. */
export function quantiles(numbers: readonly number[], shares: readonly number[]): (number | null)[] {
  const sorted = Float64Array.from(numbers).sort();
  return shares.map((share) => quantile(sorted, share));
}
