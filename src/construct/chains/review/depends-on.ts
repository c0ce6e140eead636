import type { PastGroup } from '../past.js';

/**
 * How a change depends on earlier ones, in words for people; null where it does not. It depends where it changes a source
 * or test file that they changed, or calls what they defined.
 */
export function dependsOn(later: PastGroup, earlier: readonly PastGroup[]): string | null {
  const files = new Set(earlier.flatMap(({ files }) => files.filter(isCode).map(({ lineage }) => lineage)));
  const shared = later.files.find((file) => isCode(file) && files.has(file.lineage));
  if (shared !== undefined) return 'shares files';
  const defined = new Set(
    earlier.flatMap(({ definitions }) =>
      definitions.filter(({ inTest, change }) => !inTest && change !== 'removed').map(({ name }) => name),
    ),
  );
  const called = [...later.calls.keys(), ...later.testCalls.keys()].find((name) => defined.has(name));
  return called === undefined ? null : `calls ${called}`;
}

function isCode({ role }: PastGroup['files'][number]): boolean {
  return role === 'source' || role === 'test';
}
