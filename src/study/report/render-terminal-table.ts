import type { CellState, Condition, Findings, FindingsRow, FindingsTable, GridCell } from '#documents/findings.js';
import { bestRows } from './best-figures.js';
import { conditionName, conditionSize, overheadText, pooledEffort, sandboxText } from './condition-text.js';
import { displayWidth, padded } from './display-width.js';
import { counted, intervalText, percent } from './number-text.js';
import { shortName, visibleText } from './visible-text.js';

export interface TerminalStyle {
  /** Whether the terminal shows colours and bold. */
  readonly color: boolean;
}

/** Task-by-task lines are printed up to this many; beyond it the HTML file is the place to look. */
const MOST_STAGE_LINES = 24;
const WIDEST_NAME = 32;

/** The main table of every condition, with intervals, and for small experiments the verdict of every stage. */
export function renderTerminalTable(findings: Findings, style: TerminalStyle = { color: false }): string {
  const ink = inkOf(style);
  const blocks = findings.conditions.map((condition) => renderCondition(condition, ink));
  const notices = findings.notices.map((notice) => ink.dim(`Note: ${visibleText(notice)}`));
  return `${[...blocks, ...notices, ink.dim(legend(findings))].join('\n\n')}\n`;
}

function renderCondition(condition: Condition, ink: Ink): string {
  const main = condition.tables[0];
  return [
    ink.bold(visibleText(conditionName(condition))),
    ink.dim(conditionSize(condition)),
    ink.dim(
      `sandbox ${visibleText(sandboxText(condition))} · own overhead per stage ${overheadText(pooledEffort(condition))}`,
    ),
    '',
    ...(main === undefined ? [] : renderMain(main, condition, ink)),
    ...unfinishedLines(condition, ink),
    ...stageLines(condition, ink),
  ].join('\n');
}

function renderMain(table: FindingsTable, condition: Condition, ink: Ink): string[] {
  const best = bestRows(table);
  const names = table.rows.map(nameOf);
  const nameWidth = Math.max(5, ...names.map(displayWidth));
  const width = Math.max(
    11,
    ...table.rows.flatMap((row) => row.figures.map(({ interval }) => intervalText(interval).length)),
  );
  const rows = table.rows.flatMap((row, at) => {
    const runs = condition.agents.find(({ agent }) => agent === row.agent)?.finished ?? condition.finished;
    const values = row.figures.map((figure, place) => {
      const text = padded(`${percent(figure.value)}${figure.few ? '†' : ' '}`, width, 'right');
      return best[place]?.has(at) ? ink.best(text) : text;
    });
    const bounds = row.figures.map(({ interval }) => padded(`${intervalText(interval)} `, width, 'right'));
    return [
      `${ink.bold(padded(names[at] ?? '', nameWidth, 'left'))}  ${values.join('  ')}  ${padded(`${runs}`, 6, 'right')}`,
      ink.dim(`${' '.repeat(nameWidth)}  ${bounds.join('  ')}`),
    ];
  });
  const head = table.columns.map((column) => padded(`${column.short} `, width, 'right')).join('  ');
  return [ink.dim(`${padded('agent', nameWidth, 'left')}  ${head}  ${padded('runs', 6, 'right')}`), ...rows];
}

function nameOf(row: FindingsRow): string {
  return row.agent === null ? 'all agents' : shortName(row.agent, WIDEST_NAME);
}

function unfinishedLines({ unfinished }: Condition, ink: Ink): string[] {
  const shown = unfinished.slice(0, 10).map(({ agent, task, attempt, stage, why }) => {
    const place = stage === null ? 'chain gate' : `m${stage}`;
    return ink.dim(`  ${visibleText(agent)} · ${visibleText(task)} · attempt ${attempt} · ${place}: ${why}`);
  });
  if (unfinished.length === 0) return [];
  const more = unfinished.length > shown.length ? [ink.dim(`  and ${unfinished.length - shown.length} more`)] : [];
  return ['', `${counted(unfinished.length, 'unfinished run')} (in no denominator):`, ...shown, ...more];
}

const CELL_TEXT: Record<CellState, string> = {
  passed: 'pass',
  'f2p-failed': 'F2P✗',
  'p2p-failed': 'P2P✗',
  'both-failed': 'both✗',
  unknown: '?',
  unfinished: '…',
  missing: '·',
};

function stageLines({ grid, tasks, mostAttempts }: Condition, ink: Ink): string[] {
  if (grid.length > MOST_STAGE_LINES) return [];
  const longest = Math.max(0, ...tasks.map((task) => task.stages));
  const names = grid.map(
    ({ agent, attempt }) => shortName(agent, WIDEST_NAME) + (mostAttempts > 1 ? ` #${attempt}` : ''),
  );
  const nameWidth = Math.max(5, ...names.map(displayWidth));
  const head = [...Array.from({ length: longest }, (_, stage) => `m${stage}`), 'chain']
    .map((text) => padded(text, 6, 'left'))
    .join(' ');
  return tasks.flatMap(({ task, stages }) => [
    '',
    `${ink.bold(visibleText(task))} ${ink.dim(`stage by stage (${counted(stages, 'stage')})`)}`,
    ink.dim(`  ${padded('', nameWidth, 'left')}  ${head}`.trimEnd()),
    ...grid.flatMap((run, place) => {
      if (run.task !== task) return [];
      const blank = Array.from({ length: longest - run.cells.length }, () => padded('', 6, 'left'));
      const cells = [
        ...run.cells.map((cell) => cellText(cell, ink)),
        ...blank,
        run.chain === null ? '' : cellText(run.chain, ink),
      ];
      return [`  ${padded(names[place] ?? '', nameWidth, 'left')}  ${cells.join(' ')}`.trimEnd()];
    }),
  ]);
}

function cellText(cell: GridCell, ink: Ink): string {
  const text = padded(`${CELL_TEXT[cell.state]}${cell.marks.length > 0 ? '*' : ''}`, 6, 'left');
  if (cell.state === 'passed') return ink.good(text);
  return cell.state.endsWith('failed') ? ink.bad(text) : ink.dim(text);
}

function legend({ confidence, resamples, fewBelow }: Findings): string {
  return [
    `Percent; below each its ${Math.round(confidence * 100)}% interval (bootstrap over tasks, ${resamples} resamples; w: Wilson, where all tasks agree).`,
    `– undefined or unknown · † fewer than ${fewBelow} counted · * the grader left a mark.`,
  ].join('\n');
}

interface Ink {
  bold(text: string): string;
  dim(text: string): string;
  best(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

function inkOf({ color }: TerminalStyle): Ink {
  const code = (open: number, close: number) => (text: string) =>
    color ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), best: code(1, 22), good: code(32, 39), bad: code(31, 39) };
}
