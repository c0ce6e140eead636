import type { PastGroup } from '../past.js';

/** What a chain is called: the names that tell it, and the title of the change it starts with. */
export function featureTitle(named: string, stages: readonly (readonly PastGroup[])[]): string {
  const first = stages[0]?.[0]?.title ?? '';
  return named === '' ? first : `${named}: ${first}`;
}
