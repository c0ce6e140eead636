import type { Condition, Effort, Findings } from '#documents/findings.js';
import { counted, NOTHING, secondsText } from './number-text.js';

/** A set of runs by name: `pilot · L4 · chain`. */
export function conditionName({ experiment, level, mode }: Condition): string {
  return [experiment ?? 'unnamed experiment', level ?? 'level unknown', mode ?? 'mode unknown'].join(' · ');
}

/** What was measured and how, for a page that shows one set alone. */
export function conditionSetting(condition: Condition): string {
  const { level, mode } = condition;
  return [
    conditionSize(condition),
    level === null ? 'delegation level unknown' : `delegation level ${level}`,
    mode === null ? 'mode unknown' : `${mode} mode`,
  ].join(' · ');
}

/** What was measured, in one sentence. */
export function conditionSize(condition: Condition): string {
  const stages = condition.tasks.reduce((sum, task) => sum + task.stages, 0);
  const unfinished = condition.runs - condition.finished;
  const parts = [
    `${counted(condition.agents.length, 'agent')} on ${counted(condition.tasks.length, 'task')} (${counted(stages, 'stage')})`,
    `${counted(condition.runs, 'run')}, ${unfinished === 0 ? 'all finished' : `${unfinished} unfinished`}`,
  ];
  if (condition.mostAttempts > 1) parts.push(`up to ${condition.mostAttempts} attempts`);
  return parts.join(' · ');
}

/** The kind of sandbox the agents worked in. */
export function sandboxText({ sandboxes }: Condition): string {
  return sandboxes.length === 0 ? 'unknown' : sandboxes.join(' and ');
}

/** The harness's own time per stage. */
export function overheadText(effort: Effort | undefined): string {
  const spread = effort?.overheadSeconds ?? null;
  if (spread === null) return NOTHING;
  return `p50 ${secondsText(spread.p50)}, p95 ${secondsText(spread.p95)} over ${counted(spread.n, 'stage')}`;
}

/** The effort of all agents together: the pooled row, or the only one. */
export function pooledEffort({ effort }: Condition): Effort | undefined {
  return effort.find((row) => row.agent === null) ?? effort[0];
}

/** What a reader must know to trust or doubt the figures, as sentences. */
export function validityStatements(findings: Findings, condition: Condition): string[] {
  return [
    'A score is that of scaffold and model together, as configured; neither is measured apart.',
    coverage(condition),
    unfinishedStatement(condition),
    ...missingStatement(condition),
    ...unknownStatement(condition),
    ...lengthStatement(condition),
    ...attemptStatement(condition),
    intervalStatement(findings),
    `Figures that rest on fewer than ${findings.fewBelow} stages or runs are marked †.`,
    ...sandboxStatement(condition),
    ...lackingStatement(condition),
    labelStatement(condition),
  ];
}

function lackingStatement({ tables }: Condition): string[] {
  const lacking = tables.filter((table) => table.lacks !== null);
  if (lacking.length === 0) return [];
  const text = lacking.map((table) => `${table.title} (${table.lacks})`).join('; ');
  return [`Tables that are empty because the results lack their fields: ${text}.`];
}

function labelStatement({ tables }: Condition): string {
  const labelled = tables
    .filter((table) => table.id === 'verification')
    .some((table) => table.rows.some((row) => row.figures.slice(0, 3).some((figure) => figure.of > 0)));
  return labelled
    ? 'Labels of trajectories are judgements; their agreement between judges is not part of the results lines and not given here.'
    : 'No labels of trajectories are in the results, so nothing is said about what agents noticed or inherited by judgement.';
}

function coverage({ languages, domains, lengths }: Condition): string {
  const list = (shares: readonly { name: string; count: number }[]): string =>
    shares.map(({ name, count }) => `${name} ${count}`).join(', ');
  const byLength = [...lengths].sort((a, b) => Number(a.name) - Number(b.name));
  const lengthsText = byLength
    .map(({ name, count }) => `${counted(count, 'task')} of ${counted(Number(name), 'stage')}`)
    .join(', ');
  return `Coverage: languages ${list(languages)}; domains ${list(domains)}; lengths ${lengthsText}. Nothing is claimed beyond them.`;
}

function unfinishedStatement({ unfinished, runs }: Condition): string {
  if (unfinished.length === 0) return `Unfinished runs: none of ${runs}.`;
  const reasons = new Map<string, number>();
  for (const { why } of unfinished) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  const text = [...reasons].map(([why, count]) => `${why} ${count}`).join(', ');
  return `Unfinished runs: ${unfinished.length} of ${runs} (${text}). They are in no denominator until they are resolved.`;
}

function missingStatement({ agents, tasks }: Condition): string[] {
  const lacking = agents.filter((agent) => agent.missingTasks.length > 0);
  if (lacking.length === 0) return [];
  const text = lacking.map((agent) => `${agent.agent} ${tasks.length - agent.missingTasks.length} of ${tasks.length}`);
  return [`Not every agent has every task: ${text.join(', ')}. Rows compare only as far as the tasks are the same.`];
}

function unknownStatement({ tables }: Condition): string[] {
  const main = tables[0];
  const pooled = main?.rows.at(-1);
  if (main === undefined || pooled === undefined) return [];
  const unknown = main.columns.flatMap((column, place) => {
    const count = pooled.figures[place]?.unknown ?? 0;
    return count > 0 ? [`${column.short} ${count}`] : [];
  });
  return unknown.length === 0 ? [] : [`Unknown verdicts, left out and never counted as failed: ${unknown.join(', ')}.`];
}

function lengthStatement({ tasks }: Condition): string[] {
  const inferred = tasks.filter((task) => task.lengthInferred).length;
  return inferred === 0
    ? []
    : [`The length of ${counted(inferred, 'task')} is the highest stage seen, for want of a task line.`];
}

function attemptStatement({ mostAttempts }: Condition): string[] {
  if (mostAttempts <= 1) return [];
  return [
    'Several attempts: each weighs 1 / finished attempts of its agent at its task, so every task weighs the same. Counts in parentheses are plain.',
  ];
}

function intervalStatement({ confidence, resamples, seed, method }: Findings): string {
  const share = `${Math.round(confidence * 100)}%`;
  return `Intervals: ${share} ${method === 'bca' ? 'bias-corrected and accelerated' : 'percentile'} bootstrap over tasks, ${resamples.toLocaleString('en-US')} resamples, seed ${seed}; differences are paired on the same resampled tasks. Where every task is at 0 or at 100% resampling would claim certainty, so the Wilson interval with the tasks as n stands there, marked w. One task alone gives no bootstrap interval.`;
}

function sandboxStatement(condition: Condition): string[] {
  const statements = [`Sandbox of the agents: ${sandboxText(condition)}.`];
  if (condition.sandboxes.length > 1)
    statements.push('Runs of different sandbox kinds are mixed here; compare with care.');
  if (condition.sandboxes.includes('local'))
    statements.push('The local sandbox isolates nothing: it is for trusted scripted agents only.');
  return statements;
}
