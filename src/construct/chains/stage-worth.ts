import type { PastGroup, PastIntent } from './past.js';

/** How likely a change of an intent is to extend what a user can do. Fixes sometimes do, refactorings hardly ever. */
const BY_INTENT: Record<PastIntent, number> = {
  feature: 1,
  extension: 0.95,
  fix: 0.5,
  refactor: 0.25,
  test: 0.1,
  docs: 0.1,
  build: 0.1,
  release: 0,
  format: 0,
};

/** Whether the group changes tests: a test file, or tests inside a source file. */
export function hasTests(group: PastGroup): boolean {
  return (
    group.tests.length > 0 ||
    group.files.some(({ role, status }) => role === 'test' && status !== 'deleted') ||
    group.definitions.some(({ inTest }) => inTest)
  );
}

/** 0 to 1: how likely a group is a stage of its own, an observable extension of something. */
export function stageWorth(group: PastGroup): number {
  const source = group.definitions.filter(({ inTest }) => !inTest);
  const grows = source.some(({ change }) => change === 'added' || change === 'signature');
  const addsTests = group.tests.some(({ change }) => change === 'added');
  return BY_INTENT[group.intent] * (grows ? 1 : 0.85) * (addsTests ? 1 : 0.85);
}
