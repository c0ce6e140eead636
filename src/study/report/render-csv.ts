import type { Condition, Findings, FindingsTable } from '#documents/findings.js';
import { csvLines } from './csv-text.js';

const HEAD = [
  'experiment',
  'level',
  'mode',
  'table',
  'agent',
  'metric',
  'value',
  'low',
  'high',
  'interval',
  'numerator',
  'denominator',
  'unit',
  'tasks',
  'unknown',
  'few',
] as const;

/** Every figure of every table as one long table: one line per figure. Shares are fractions; the pooled agent is empty. */
export function renderCsv(findings: Findings): string {
  return csvLines([
    HEAD,
    ...findings.conditions.flatMap((condition) => condition.tables.flatMap((table) => tableRows(condition, table))),
  ]);
}

type Row = (string | number | boolean | null)[];

function tableRows({ experiment, level, mode }: Condition, table: FindingsTable): Row[] {
  return table.rows.flatMap((row) =>
    row.figures.map((figure, place): Row => {
      const column = table.columns[place];
      const { value, interval, sum, of, tasks, unknown, few } = figure;
      return [
        ...[experiment, level, mode, table.id, row.agent, column?.id ?? null],
        ...[value, interval?.low ?? null, interval?.high ?? null, interval?.method ?? null],
        ...[sum, of, column?.unit ?? null, tasks, unknown, few],
      ];
    }),
  );
}

/** The stage-by-stage grid: one line per stage and per chain gate (its stage is `chain`). */
export function renderGridCsv(findings: Findings): string {
  const head = [
    'experiment',
    'level',
    'mode',
    'agent',
    'task',
    'attempt',
    'stage',
    'state',
    'outcome',
    'failure',
    'marks',
    'flips',
    'rounds',
  ];
  const rows = findings.conditions.flatMap(({ experiment, level, mode, grid }) =>
    grid.flatMap(({ agent, task, attempt, cells, chain }) =>
      [...cells, ...(chain === null ? [] : [chain])].map(
        (cell): Row => [
          ...[experiment, level, mode, agent, task, attempt],
          ...[
            cell.stage ?? 'chain',
            cell.state,
            cell.outcome,
            cell.failure,
            cell.marks.join(' '),
            cell.flips,
            cell.rounds,
          ],
        ],
      ),
    ),
  );
  return csvLines([head, ...rows]);
}
