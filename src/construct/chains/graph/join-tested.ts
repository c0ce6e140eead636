import type { PastGroup } from '../past.js';
import { hasTests } from '../stage-worth.js';
import { titleTerms, traceName } from './names.js';

/** Tests that come later than this after the code are tests of something else. */
const DAYS = 30;
/** Changes that land between the code and its tests. */
const LOOKED_BACK = 24;
/** A name that more groups define or speak of does not say whose tests these are. */
const COMMON = 20;
/** What brings the tests changes little code itself. */
const SMALL_SHARE = 0.6;
const DAY_MS = 86_400_000;

/**
 * Puts code without tests and the tests that follow soon after it into one change, so that it can be a stage: a
 * feature that landed in two steps is still one. Groups come in order of landing; what is joined stands where the
 * code stood.
 */
export function joinTested(groups: readonly PastGroup[]): PastGroup[] {
  const counts = countNames(groups);
  const joined = new Map<PastGroup, PastGroup[]>();
  const taken = new Set<PastGroup>();
  groups.forEach((tests, at) => {
    if (!hasTests(tests)) return;
    const named = testedNames(tests);
    for (let back = at - 1; back >= Math.max(0, at - LOOKED_BACK); back -= 1) {
      const code = groups[back];
      if (code === undefined || taken.has(code) || joined.has(code) || !isCodeOf(code, tests)) continue;
      if (!namesOf(code).some((name) => named.has(name) && (counts.get(name) ?? 0) <= COMMON)) continue;
      joined.set(tests, [...(joined.get(tests) ?? []), code]);
      taken.add(code);
    }
  });
  const places = new Map<PastGroup, PastGroup>();
  for (const [tests, code] of joined) {
    const parts = [...code.reverse(), tests];
    const first = parts[0];
    if (first !== undefined) places.set(first, asOne(parts));
  }
  return groups.flatMap((group) => {
    const whole = places.get(group);
    if (whole !== undefined) return [whole];
    return taken.has(group) || joined.has(group) ? [] : [group];
  });
}

function isCodeOf(code: PastGroup, tests: PastGroup): boolean {
  if (hasTests(code) || code.author !== tests.author || code.at === null || tests.at === null) return false;
  if (code.intent !== 'feature' && code.intent !== 'extension' && code.intent !== 'fix') return false;
  if (!code.files.some(({ role }) => role === 'source')) return false;
  if (Date.parse(tests.at) - Date.parse(code.at) > DAYS * DAY_MS) return false;
  return (tests.sourceLinesAdded ?? 0) <= Math.max(3, (code.sourceLinesAdded ?? 0) * SMALL_SHARE);
}

function namesOf({ definitions, title, identifiers }: PastGroup): string[] {
  const written = new Set([...identifiers.keys()].map(traceName));
  const defined = definitions
    .filter(({ inTest, change }) => !inTest && change !== 'moved')
    .map(({ name }) => traceName(name));
  return [...new Set([...defined, ...titleTerms(title).filter((term) => written.has(term))])];
}

function testedNames({ testCalls, testIdentifiers, tests }: PastGroup): Set<string> {
  const named = [...testCalls.keys(), ...testIdentifiers.keys()].map(traceName);
  return new Set([...named, ...tests.flatMap(({ name }) => (name === null ? [] : titleTerms(name)))]);
}

function countNames(groups: readonly PastGroup[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const group of groups) for (const name of namesOf(group)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Several groups as one, called by the first; `parts` keeps them. */
export function asOne(parts: readonly PastGroup[]): PastGroup {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined || parts.length === 1) return first as PastGroup;
  const flat = <T>(of: (group: PastGroup) => T[]): T[] => parts.flatMap(of);
  return {
    ...first,
    parts: [...parts],
    commits: flat(({ commits }) => commits),
    commitIndexes: flat(({ commitIndexes }) => commitIndexes),
    landedBy: last.landedBy,
    at: last.at,
    files: flat(({ files }) => files),
    definitions: flat(({ definitions }) => definitions),
    importsAdded: flat(({ importsAdded }) => importsAdded),
    calls: together(parts.map(({ calls }) => calls)),
    testCalls: together(parts.map(({ testCalls }) => testCalls)),
    identifiers: together(parts.map(({ identifiers }) => identifiers)),
    testIdentifiers: together(parts.map(({ testIdentifiers }) => testIdentifiers)),
    reworked: together(parts.map(({ reworked }) => reworked)),
    words: [...new Set(flat(({ words }) => words))].sort(),
    tests: flat(({ tests }) => tests),
    references: {
      ...first.references,
      issues: flat(({ references }) => references.issues),
      closes: flat(({ references }) => references.closes),
      commits: flat(({ references }) => references.commits),
    },
  };
}

function together<T>(maps: readonly ReadonlyMap<T, number>[]): Map<T, number> {
  const sum = new Map<T, number>();
  for (const map of maps) for (const [name, count] of map) sum.set(name, (sum.get(name) ?? 0) + count);
  return sum;
}
