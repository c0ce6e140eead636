import type { Random } from '#kernel/random.js';
import type { FeatureProfile } from '../feature-profile.js';
import type { Links } from '../graph/connect-groups.js';
import type { TraceIndex } from '../graph/trace-index.js';
import type { PastGroup } from '../past.js';

/** What every search looks at. Groups are named by their position in `nodes`. */
export interface SearchSpace {
  nodes: readonly PastGroup[];
  index: TraceIndex;
  links: Links;
  /** By node: how likely it is a stage, 0 where it must not be one. */
  worth: readonly number[];
  /** The same, whether it has tests or not. */
  worthUntested: readonly number[];
  maxStages: number;
  /** A stream of numbers of the search's own. */
  random: Random;
  /** One to work with, so that searches need not make thousands. */
  profile: FeatureProfile;
}
