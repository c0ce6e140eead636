import type { Bounds } from './bootstrap.js';
import { normalQuantile } from './normal.js';

/** Wilson score interval of a share (Wilson 1927): `passed` of `of` independent trials. Null where there were none. */
export function wilsonInterval(passed: number, of: number, confidence: number): Bounds | null {
  if (of === 0) return null;
  const z = normalQuantile((1 + confidence) / 2);
  const share = passed / of;
  const scale = 1 + (z * z) / of;
  const centre = (share + (z * z) / (2 * of)) / scale;
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}
