import type { BuiltGraph } from '../build-graph.js';
import type { FeatureProfile } from '../feature-profile.js';

const SHOWN = 8;

/** Names and files that tell the profile's feature, most telling first, as they are written. */
export function tellingNames(profile: FeatureProfile, { label }: Pick<BuiltGraph, 'label'>): string[] {
  const names = new Set<string>();
  for (const { trace } of profile.telling()) {
    if (trace.key.startsWith('r:') || trace.key.startsWith('l:')) continue;
    names.add(label(trace.key));
    if (names.size >= SHOWN) break;
  }
  return [...names];
}
