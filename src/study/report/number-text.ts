import type { Comparison, Figure, Interval } from '#documents/findings.js';

/** What stands where there is no number: undefined or unknown, never 0. */
export const NOTHING = '–';

/** A share as percent with one decimal, without the sign. */
export function percent(share: number | null): string {
  return share === null ? NOTHING : (share * 100).toFixed(1);
}

/** `56.1–69.0`, with `w` behind it where it is a Wilson interval. */
export function intervalText(interval: Interval | null): string {
  if (interval === null) return NOTHING;
  return `${percent(interval.low)}–${percent(interval.high)}${interval.method === 'wilson' ? ' w' : ''}`;
}

/** Numerator and denominator: `458/730`, or `mean of 730` where what is summed are shares. */
export function countText({ sum, of }: Figure): string {
  return Number.isInteger(sum) ? `${sum}/${of}` : `mean of ${of}`;
}

/** A difference of shares in percentage points, with its sign. */
export function pointsText(share: number | null): string {
  if (share === null) return NOTHING;
  const points = (Math.abs(share) * 100).toFixed(1);
  if (Number(points) === 0) return '0.0';
  return `${share < 0 ? '−' : '+'}${points}`;
}

/** Bounds of a difference: `+26.0 to +38.4`. */
export function pointsIntervalText({ interval }: Comparison['difference']): string {
  return interval === null ? NOTHING : `${pointsText(interval.low)} to ${pointsText(interval.high)}`;
}

/** Seconds as a person reads them. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return NOTHING;
  if (seconds < 1) return `${(seconds * 1000).toFixed(0)} ms`;
  if (seconds < 120) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** A count with its noun: `1 run`, `2 runs`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
