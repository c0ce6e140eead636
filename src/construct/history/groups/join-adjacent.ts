import type { HistoryCommit, Intent } from '../history.js';
import type { GroupPlan } from './group-plan.js';
import { ADD, isKindOfChange } from './intent.js';
import { WordFinder } from './words.js';

/** Commits further apart than this are two changes, however alike. */
const MAX_GAP_MS = 36 * 3_600_000;
const MAX_COMMITS = 8;
/** Definitions that change all the time glue nothing together. */
const HUB_SHARE = 0.06;

/** Follow-ups of these intents complete a change of any other. */
const COMPLETING: ReadonlySet<Intent> = new Set(['test', 'docs', 'fix', 'format']);
const ALONE: ReadonlySet<Intent> = new Set(['release', 'build']);

const GROWTH: ReadonlySet<Intent> = new Set(['feature', 'extension']);
/** What every project has says nothing of what grew. */
const EVERYWHERE = new Set('feature function method options test tests'.split(' '));

/**
 * Joins commits that one author made one after the other on the mainline for one purpose: the later works on
 * definitions of the earlier, or calls what it introduced, and is of the same intent or completes it. Two that each add
 * something are two features, unless their titles name one thing; and titles that begin with the names of two parts of the
 * project (`ignore: ...`, `globset: ...`) speak of two changes.
 */
export function joinAdjacent(
  plans: readonly GroupPlan[],
  commits: readonly HistoryCommit[],
  intentOf: (plan: GroupPlan) => Intent,
): GroupPlan[] {
  const tools = { hubs: hubDefinitions(commits), words: new WordFinder() };
  const joined: GroupPlan[] = [];
  let intent: Intent | null = null;
  for (const plan of plans) {
    const before = joined.at(-1);
    const own = intentOf(plan);
    if (before !== undefined && intent !== null && belongs({ before, plan, intent, own }, commits, tools)) {
      before.commits.push(...plan.commits);
      before.landedBy = plan.landedBy;
      before.kind = 'adjacent';
      continue;
    }
    joined.push({ ...plan, commits: [...plan.commits] });
    intent = own;
  }
  return joined;
}

interface Neighbours {
  before: GroupPlan;
  plan: GroupPlan;
  intent: Intent;
  own: Intent;
}

function belongs(
  { before, plan, intent, own }: Neighbours,
  commits: readonly HistoryCommit[],
  { hubs, words }: { hubs: ReadonlySet<string>; words: WordFinder },
): boolean {
  if (plan.kind !== 'single' || (before.kind !== 'single' && before.kind !== 'adjacent')) return false;
  if (before.commits.length + plan.commits.length > MAX_COMMITS || ALONE.has(intent) || ALONE.has(own)) return false;
  if (own !== intent && !COMPLETING.has(own)) return false;
  const last = commits[before.commits.at(-1) ?? -1];
  const next = commits[plan.commits[0] ?? -1];
  if (last === undefined || next === undefined || next.firstParent !== last.index) return false;
  if (last.author.mappedName !== next.author.mappedName || gap(last, next) > MAX_GAP_MS) return false;
  const earlier = before.commits.flatMap((index) => commits[index] ?? []);
  const [area, nextArea] = [areaOf(last.subject), areaOf(next.subject)];
  if (area !== null && nextArea !== null && area !== nextArea) return false;
  if (own === intent && GROWTH.has(own) && !nameOneThing(earlier, next, words)) return false;
  return earlier.some((commit) => sharesWork(commit, next, hubs));
}

const PREFIX = /^([\w./-]+)(?:\(([^)]*)\))?!?:\s+/;

/** The part of the project that a title begins with; null where it names none. */
function areaOf(subject: string): string | null {
  const [, word, scope] = PREFIX.exec(subject) ?? [];
  if (word === undefined) return null;
  return scope ?? (isKindOfChange(word) ? null : word.toLowerCase());
}

function nameOneThing(earlier: readonly HistoryCommit[], later: HistoryCommit, words: WordFinder): boolean {
  const named = new Set(words.wordsOf(earlier.map(({ subject }) => subject.replace(PREFIX, ''))));
  return words
    .wordsOf([later.subject.replace(PREFIX, '')])
    .some((word) => named.has(word) && !EVERYWHERE.has(word) && !ADD.test(word));
}

function gap(a: HistoryCommit, b: HistoryCommit): number {
  if (a.authoredAt === null || b.authoredAt === null) return 0;
  return Math.abs(Date.parse(b.authoredAt) - Date.parse(a.authoredAt));
}

function sharesWork(earlier: HistoryCommit, later: HistoryCommit, hubs: ReadonlySet<string>): boolean {
  const keys = new Set(earlier.definitions.map(({ key }) => key).filter((key) => !hubs.has(key)));
  if (later.definitions.some(({ key }) => keys.has(key))) return true;
  const introduced = earlier.definitions.filter(({ change, inTest }) => change === 'added' && !inTest);
  return introduced.some(({ name }) => (later.calls.get(name) ?? 0) > 0 || (later.testCalls.get(name) ?? 0) > 0);
}

function hubDefinitions(commits: readonly HistoryCommit[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { definitions } of commits) for (const { key } of definitions) counts.set(key, (counts.get(key) ?? 0) + 1);
  const limit = Math.max(20, commits.length * HUB_SHARE);
  return new Set([...counts].filter(([, count]) => count > limit).map(([key]) => key));
}
