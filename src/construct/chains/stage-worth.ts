import type { PastGroup, PastIntent } from './past.js';

/** "Fixes #12" behind a title is only a reference. */
const REFERENCE = /\b(?:this )?(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s+(?:\S*#\d+|gh-\d+)/gi;
const ADDS =
  /\b(?:add(?:s|ed|ing)?|support(?:s|ed|ing)?|implement(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|allow(?:s|ed|ing)?|enable[sd]?|new|provide[sd]?|accept(?:s|ed)?|expose[sd]?|extend(?:s|ed)?|option(?:al)?|initial)\b/i;
const MENDS =
  /^(?:bug|hot)?fix(?:\([^)]*\))?!?:|\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|crash(?:es|ing)?|regress(?:ion|ed)?|incorrect(?:ly)?|wrong(?:ly)?|broken|leak)\b/i;
const MINDS =
  /\b(?:errors? when|prevent|avoid|handle[sd]?|don'?t|do not|should not|never|ensure|restore|correct(?:ly|s|ed)?)\b/i;
const TIDIES =
  /^(?:refactor|perf|style|format|tests?)(?:\([^)]*\))?!?:|\b(?:refactor\w*|clean(?:ed|ing|s)?[ -]?up|renam\w*|mov(?:e[sd]?|ing)|simplif\w*|perf|typings?|types?|annotations?|bump\w*|revert\w*|optimi[sz]\w*|typos?|docs?|comments?|flaky|\w*lint|format\w*)\b/i;
/** What is added are tests alone. */
const TESTS =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:test\W+)?(?:add\w*|more|improve\w*|extend\w*)\b(?!.*\b(?:and|with|option|support)\b).*\btests?\b/i;
/** New versions of what the project is built with are nothing that its users see. */
const UPGRADES =
  /^\w+\(deps[^)]*\)|^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:bump|upgrade|update\b.*\bdependenc|(?:update|switch|migrate|move)\b.*\bto\b.*\d)/i;
/** Whoever read the change found that it does nothing for users. */
const ASIDE: ReadonlySet<PastIntent> = new Set(['docs', 'test', 'release', 'format']);

/**
 * What speaks for a change being a stage, and how much, in log-odds; each sign is 0 to 1. Proportions are those of a
 * logistic regression over 278 changes that readers had sorted into stages of a feature and changes beside one, in five
 * repositories of four languages. Set by hand: `upgrades` and `aside`, which hardly occur there, and, by what is found in
 * the end, the scale of all and `always`.
 */
const WEIGHTS = {
  always: -0.9,
  adds: 2.15,
  mends: -5.2,
  minds: -1.8,
  tidies: -2.1,
  upgrades: -5.2,
  aside: -5.2,
  tested: 2.15,
  testLines: 0.8,
  sourceLines: 2.2,
  grows: 0.4,
  removes: -2,
};
/** Lines, as logarithms, from which on more say no more. */
const MANY_TEST_LINES = 4;
const MANY_SOURCE_LINES = 5;
/** Where lines are not known, as in a clone without file contents, neither few nor many are assumed. */
const UNKNOWN_LINES = 0.5;

/** Whether the group changes tests: a test file, what tests read, or tests inside a source file. */
export function hasTests(group: PastGroup): boolean {
  return (
    group.tests.length > 0 ||
    group.files.some(({ role, status }) => (role === 'test' || role === 'fixture') && status !== 'deleted') ||
    group.definitions.some(({ inTest }) => inTest)
  );
}

/** 0 to 1: how likely a group is a stage of its own, an observable extension of something. */
export function stageWorth(group: PastGroup): number {
  const title = group.title.replace(REFERENCE, '');
  const signs: Record<keyof typeof WEIGHTS, number> = {
    always: 1,
    adds: told(ADDS, title),
    mends: told(MENDS, title),
    minds: told(MINDS, title),
    tidies: Math.max(told(TIDIES, title), told(TESTS, title)),
    upgrades: told(UPGRADES, title),
    aside: ASIDE.has(group.intent) ? 1 : 0,
    tested: group.tests.length > 0 ? 1 : 0,
    testLines: share(group.testLinesAdded, MANY_TEST_LINES),
    sourceLines: share(group.sourceLinesAdded, MANY_SOURCE_LINES),
    grows: group.definitions.some(({ inTest, change }) => !inTest && (change === 'added' || change === 'signature'))
      ? 1
      : 0,
    removes: removedShare(group),
  };
  let odds = 0;
  for (const sign of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]) odds += WEIGHTS[sign] * signs[sign];
  return 1 / (1 + Math.exp(-odds));
}

function told(pattern: RegExp, title: string): number {
  return pattern.test(title) ? 1 : 0;
}

function share(lines: number | null, many: number): number {
  return lines === null ? UNKNOWN_LINES : Math.min(many, Math.log1p(lines)) / many;
}

/** Of the source lines that the change adds or takes away, as far as known, those taken away. */
function removedShare({ files, sourceLinesAdded }: PastGroup): number {
  const known = files.flatMap(({ role, removedLines }) => (role === 'source' ? (removedLines ?? []) : []));
  const removed = known.reduce((sum, lines) => sum + lines, 0);
  return removed / Math.max(1, (sourceLinesAdded ?? 0) + removed);
}
