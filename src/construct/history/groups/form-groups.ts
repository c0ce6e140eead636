import { mapLimited } from '#kernel/async.js';
import type { ChangeGroup, HistoryCommit, IntentAnswer, SemanticRole, TestTouch } from '../history.js';
import { markCancelled } from './cancel.js';
import { type GroupPlan, planGroups } from './group-plan.js';
import { intentByRules } from './intent.js';
import { joinAdjacent } from './join-adjacent.js';
import { joinLandings } from './join-landings.js';
import { netDefinitions, netFiles } from './net-changes.js';
import { CommitFinder, referencesOf } from './references.js';
import { WordFinder } from './words.js';

/** Roles that wait for somebody are asked so many questions at once. */
const QUESTIONS_AT_A_TIME = 6;

type Unjudged = Omit<ChangeGroup, 'intent' | 'intentWhy'>;

/** Cuts a described history into change groups, oldest first, and says what each is for. */
export async function formGroups(commits: readonly HistoryCommit[], semantic: SemanticRole): Promise<ChangeGroup[]> {
  const tools = { finder: new CommitFinder(commits), words: new WordFinder() };
  const plans = joinLandings(planGroups(commits), commits).filter((plan) =>
    plan.commits.some((index) => commits[index]?.inScope),
  );
  const drafts = new Map(plans.map((plan) => [plan, draft(plan, commits, tools)]));
  const joined = joinAdjacent(plans, commits, (plan) => judge(drafts.get(plan) ?? draft(plan, commits, tools)).intent);
  const byTip = new Map([...drafts].map(([plan, unjudged]) => [plan.commits.at(-1) ?? -1, unjudged]));
  const unjudged = joined
    .map(
      (plan) =>
        (plan.kind === 'adjacent' ? undefined : byTip.get(plan.commits.at(-1) ?? -1)) ?? draft(plan, commits, tools),
    )
    .filter(({ files }) => files.length > 0);
  const groups = await mapLimited(unjudged, QUESTIONS_AT_A_TIME, async (group, index): Promise<ChangeGroup> => {
    const { intent, why } = await semantic.intentOf(group);
    return { ...group, index, intent, intentWhy: why };
  });
  countReworked(groups, commits);
  markCancelled(groups, commits);
  return groups;
}

/** Whose lines each group took away, group by group instead of commit by commit. */
function countReworked(groups: readonly ChangeGroup[], commits: readonly HistoryCommit[]): void {
  const groupOf = new Map(groups.flatMap((group) => group.commitIndexes.map((index) => [index, group.index] as const)));
  for (const group of groups)
    for (const index of group.commitIndexes)
      for (const [origin, lines] of commits[index]?.reworked ?? []) {
        const earlier = groupOf.get(origin);
        if (earlier === undefined || earlier === group.index) continue;
        group.reworked.set(earlier, (group.reworked.get(earlier) ?? 0) + lines);
      }
}

function judge(unjudged: Unjudged): IntentAnswer {
  return intentByRules(unjudged);
}

interface Tools {
  finder: CommitFinder;
  words: WordFinder;
}

function draft(plan: GroupPlan, all: readonly HistoryCommit[], { finder, words }: Tools): Unjudged {
  const commits = plan.commits.flatMap((index) => all[index] ?? []);
  const last = commits.at(-1);
  const definitions = netDefinitions(commits);
  const files = netFiles(commits);
  const tests = testsOf(commits, definitions, files);
  const message = commits
    .map((commit) => commit.message.trim())
    .filter((text) => text !== '')
    .join('\n\n');
  const authors = authorsOf(commits);
  return {
    id: `g-${last?.id.slice(0, 12) ?? ''}`,
    index: -1,
    kind: plan.kind,
    commits: commits.map(({ id }) => id),
    commitIndexes: commits.map(({ index }) => index),
    landedBy: plan.landedBy,
    title: titleOf(plan, commits),
    message,
    at: last?.committedAt ?? last?.authoredAt ?? null,
    author: authors[0] ?? '',
    authors,
    files,
    definitions,
    importsAdded: commits.flatMap(({ importsAdded }) => importsAdded),
    calls: total(commits, 'calls'),
    testCalls: total(commits, 'testCalls'),
    identifiers: total(commits, 'identifiers'),
    testIdentifiers: total(commits, 'testIdentifiers'),
    reworked: new Map(),
    references: referencesOf(commits, finder),
    words: words.wordsOf([message, ...definitions.map(({ name }) => name)]),
    tests,
    sourceLinesAdded: lines(files, ['source']),
    testLinesAdded: lines(files, ['test', 'fixture']),
    revertedBy: null,
    relandOf: null,
    duplicateOf: null,
    byBot: commits.length > 0 && commits.every(isByBot),
  };
}

/** A merge is called by its pull request's title, a squash without its number, other groups by their first commit. */
function titleOf(plan: GroupPlan, commits: readonly HistoryCommit[]): string {
  const first = commits.find((commit) => commit.parents.length < 2) ?? commits[0];
  const merge = commits.at(-1);
  if (plan.kind !== 'merge' || merge === undefined) return withoutNumber(first?.subject ?? '');
  if (!/^Merge (?:pull request|PR|branch|remote)/i.test(merge.subject)) return withoutNumber(merge.subject);
  const inside = merge.message
    .split('\n')
    .slice(1)
    .find((line) => line.trim() !== '' && !line.startsWith('#') && !line.startsWith('*'));
  return withoutNumber(inside?.trim() ?? first?.subject ?? merge.subject);
}

function withoutNumber(subject: string): string {
  return subject.replace(/\s*\(#\d+\)\s*$/, '').trim();
}

function authorsOf(commits: readonly HistoryCommit[]): string[] {
  const counts = new Map<string, number>();
  for (const commit of commits) {
    const weight = commit.parents.length > 1 ? 0 : 1;
    counts.set(commit.author.mappedName, (counts.get(commit.author.mappedName) ?? 0) + weight);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function testsOf(
  commits: readonly HistoryCommit[],
  definitions: ChangeGroup['definitions'],
  files: ChangeGroup['files'],
): TestTouch[] {
  const tests: TestTouch[] = definitions
    .filter(({ kind }) => kind === 'test')
    .map(({ path, lineage, name, change }) => ({ path, lineage, name, change }));
  const named = new Set(commits.flatMap((commit) => commit.definitions.map(({ lineage }) => lineage)));
  for (const { role, path, lineage, status } of files) {
    if (role !== 'test' || named.has(lineage)) continue;
    tests.push({
      path,
      lineage,
      name: null,
      change: status === 'added' ? 'added' : status === 'deleted' ? 'removed' : 'body',
    });
  }
  return tests;
}

function total(
  commits: readonly HistoryCommit[],
  what: 'calls' | 'testCalls' | 'identifiers' | 'testIdentifiers',
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const commit of commits)
    for (const [name, count] of commit[what]) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

function lines(files: ChangeGroup['files'], roles: readonly string[]): number | null {
  const known = files.filter(({ role, addedLines }) => roles.includes(role) && addedLines !== null);
  if (known.length === 0) return files.some(({ role }) => roles.includes(role)) ? null : 0;
  return known.reduce((sum, { addedLines }) => sum + (addedLines ?? 0), 0);
}

const BOT =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions|snyk-bot|pyup-bot|imgbot|allcontributors|semantic-release-bot)\b/i;

function isByBot(commit: HistoryCommit): boolean {
  return (
    BOT.test(`${commit.author.name} ${commit.author.email ?? ''}`) ||
    (commit.parents.length > 1 && commit.ownChanges.length === 0)
  );
}
