import type { Condition, FindingsRow, FindingsTable } from '#documents/findings.js';
import { compareRunSet, type TallyOf } from './compare-run-set.js';
import { figureOf, type Inference } from './figures.js';
import { ratioValue, spearman } from './inference/index.js';
import { measureEffort, spreadOf } from './measure-effort.js';
import {
  chainGatePass,
  firstStagePass,
  type Metric,
  type MetricTable,
  metricTables,
  type Run,
  type RunSet,
  tallyRuns,
} from './metrics/index.js';
import { showGrid } from './show-grid.js';

/** Everything that is reported about one set of comparable runs. */
export function measureRunSet(set: RunSet, inference: Inference): Condition {
  const tasks = set.tasks.map((task) => task.task);
  const runsOf = (agent: string | null): Run[] => set.runs.filter((run) => agent === null || run.agent === agent);
  const tally: TallyOf = (agent, metric) => tallyRuns(runsOf(agent), tasks, metric.observe);
  const agents = rankAgents(set, tally);
  // One agent pooled is that agent again.
  const rows: (string | null)[] = agents.length > 1 ? [...agents, null] : [...agents];
  const finished = set.runs.filter((run) => run.unfinished === null);
  return {
    experiment: set.experiment,
    level: set.level,
    mode: set.mode,
    agents: agents.map((agent) => ({
      agent,
      runs: runsOf(agent).length,
      finished: runsOf(agent).filter((run) => run.unfinished === null).length,
      missingTasks: tasks.filter((task) => !runsOf(agent).some((run) => run.task === task)),
    })),
    tasks: set.tasks.map(({ task, length, lengthInferred, line }) => ({
      task,
      language: line?.language ?? null,
      domain: line?.domain ?? null,
      repo: line?.repo ?? null,
      stages: length,
      lengthInferred,
    })),
    runs: set.runs.length,
    finished: finished.length,
    mostAttempts: mostAttempts(set.runs),
    unfinished: set.runs.flatMap(({ agent, task, attempt, unfinished }) =>
      unfinished === null ? [] : [{ agent, task, attempt, ...unfinished }],
    ),
    sandboxes: sandboxesOf(set.runs),
    languages: shares(set.tasks.map(({ line }) => line?.language ?? null)),
    domains: shares(set.tasks.map(({ line }) => line?.domain ?? null)),
    stageFacts: stageFactsOf(set),
    lengths: shares(set.tasks.map(({ length }) => `${length}`)),
    tables: metricTables(set).map((table) =>
      measureTable(
        table,
        rows.map((agent) => ({
          agent,
          figures: table.metrics.map((metric) => figureOf(tally(agent, metric), inference)),
        })),
      ),
    ),
    comparisons: compareRunSet({ set, tasks, agents, rows, tally, inference }),
    rankCorrelation: correlateRanks(agents, tally),
    grid: agents.flatMap((agent) => showGrid(runsOf(agent))),
    effort: rows.map((agent) => measureEffort(agent, runsOf(agent))),
  };
}

/** By Gate from high to low, then by m0, then by name; an agent without a value comes last. */
function rankAgents(set: RunSet, tally: TallyOf): string[] {
  const value = (agent: string, metric: Metric): number => ratioValue(tally(agent, metric)) ?? -1;
  const keyed = set.agents.map((agent) => ({
    agent,
    gate: value(agent, chainGatePass),
    first: value(agent, firstStagePass('last')),
  }));
  return keyed
    .sort((a, b) => b.gate - a.gate || b.first - a.first || (a.agent < b.agent ? -1 : 1))
    .map(({ agent }) => agent);
}

function measureTable(table: MetricTable, rows: FindingsRow[]): FindingsTable {
  const figures = rows.flatMap((row) => row.figures);
  const empty = figures.every(({ of }) => of === 0);
  const unknown = figures.some((figure) => figure.unknown > 0);
  return {
    id: table.id,
    title: table.title,
    note: table.note,
    columns: table.metrics.map(({ id, short, label, definition, unit, better }) => ({
      id,
      short,
      label,
      definition,
      unit,
      better,
    })),
    rows,
    lacks: empty && unknown ? table.needs : null,
  };
}

function correlateRanks(agents: readonly string[], tally: TallyOf): Condition['rankCorrelation'] {
  const pairs = agents.flatMap((agent): [number, number][] => {
    const first = ratioValue(tally(agent, firstStagePass('last')));
    const gate = ratioValue(tally(agent, chainGatePass));
    return first === null || gate === null ? [] : [[first, gate]];
  });
  return { rho: spearman(pairs), agents: pairs.length };
}

function mostAttempts(runs: readonly Run[]): number {
  const attempts = new Map<string, number>();
  for (const run of runs) {
    const key = JSON.stringify([run.agent, run.task]);
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...attempts.values());
}

function sandboxesOf(runs: readonly Run[]): string[] {
  const kinds = runs.flatMap((run) => [run.chain?.line.sandbox, ...run.stages.map((stage) => stage?.line.sandbox)]);
  return [...new Set(kinds.filter((kind) => kind !== null && kind !== undefined))].sort();
}

/** The size of the reference change of each stage, over all stages of all tasks that say it. */
function stageFactsOf({ tasks }: RunSet): Condition['stageFacts'] {
  const stages = tasks.flatMap((task) => task.line?.stages ?? []);
  return {
    sourceLines: spreadOf(stages.map((stage) => stage.sourceLines)),
    testLines: spreadOf(stages.map((stage) => stage.testLines)),
    sourceFiles: spreadOf(stages.map((stage) => stage.sourceFiles)),
    sharedFileShare: spreadOf(
      tasks.flatMap((task) => (task.line?.stages ?? []).slice(1).map((stage) => stage.sharedFileShare)),
    ),
    featureSourceLines: spreadOf(tasks.map((task) => task.line?.featureSourceLines ?? null)),
  };
}

/** How often each name occurs, most frequent first; null is named `unknown`. */
function shares(names: readonly (string | null)[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name ?? 'unknown', (counts.get(name ?? 'unknown') ?? 0) + 1);
  return [...counts.entries()]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
