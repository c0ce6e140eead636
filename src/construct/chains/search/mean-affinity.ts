import type { SearchSpace } from './search-space.js';

/** Mean, over the stages, of how much each is about what the others have in common. */
export function meanAffinity({ profile }: Pick<SearchSpace, 'profile'>, stages: readonly number[]): number {
  profile.set(stages);
  return stages.reduce((sum, stage) => sum + profile.affinity(stage), 0) / stages.length;
}
