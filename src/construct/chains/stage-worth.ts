import type { PastGroup, PastIntent } from './past.js';

/** How likely a change of an intent is to extend what a user can do. Fixes sometimes do, refactorings hardly ever. */
const BY_INTENT: Record<PastIntent, number> = {
  feature: 1,
  extension: 0.95,
  fix: 0.66,
  refactor: 0.41,
  test: 0.1,
  docs: 0.1,
  build: 0.1,
  release: 0,
  format: 0,
};

/** A title that says so leaves no doubt; "Fixes #12" behind a title is only a reference. */
const MENDS =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|hotfix|crash(?:es|ing)?|regress(?:ion|ed)?|broken|typos?|flaky|refactor\w*|clean(?:ed|ing|s)?[ -]?up|renam(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|simplif\w*|perf|typings?|types?|annotations?|deprecat(?:ed?|es|ing|ions?)|bump(?:s|ed)?|revert(?:s|ed)?)\b/i;
const REFERENCE = /\b(?:this )?(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s+(?:\S*#\d+|gh-\d+)/gi;
const STARTS_MENDING =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:fix|correct|refactor|clean|renam|mov|remov|drop|deprecat|simplif|improv\w* (?:typ|doc|perf)|typ(?:e|ing)s?\b|merge|bump|updat|upgrad|revert|rewrit|re-?wrote|mark)/i;
/** New versions of what the project is built with are nothing that its users see. */
const UPGRADES = /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:bump|upgrade|(?:update|switch|migrate|move)\b.*\bto\b.*\d)/i;
const MENDING = 0.35;
const HALF_MENDING = 0.6;

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
  return base(group) * (grows ? 1 : 0.9) * (addsTests ? 1 : 0.9);
}

function base({ intent, title }: PastGroup): number {
  const value = BY_INTENT[intent];
  if (UPGRADES.test(title)) return Math.min(value, MENDING);
  if (intent === 'feature' || intent === 'extension')
    return STARTS_MENDING.test(title) ? Math.min(value, HALF_MENDING) : value;
  return MENDS.test(title.replace(REFERENCE, '')) ? Math.min(value, MENDING) : value;
}
