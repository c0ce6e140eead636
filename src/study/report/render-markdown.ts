import type { Comparison, Condition, Findings, FindingsTable } from '#documents/findings.js';
import { bestRows } from './best-figures.js';
import {
  conditionName,
  conditionSize,
  overheadText,
  pooledEffort,
  sandboxText,
  validityStatements,
} from './condition-text.js';
import { markdownText } from './markdown-text.js';
import { countText, intervalText, percent, pointsIntervalText, pointsText } from './number-text.js';

/** Every table as GitHub-flavoured Markdown. */
export function renderMarkdown(findings: Findings): string {
  const parts = [
    '# FeatureArc report',
    ...findings.notices.map((notice) => `> Note: ${markdownText(notice)}`),
    ...findings.conditions.flatMap((condition) => renderCondition(findings, condition)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderCondition(findings: Findings, condition: Condition): string[] {
  return [
    `## ${markdownText(conditionName(condition))}`,
    `${conditionSize(condition)}. Sandbox ${markdownText(sandboxText(condition))}; own overhead per stage ${overheadText(pooledEffort(condition))}.`,
    ...condition.tables
      .filter((table) => table.rows.some((row) => row.figures.some((figure) => figure.of > 0)))
      .map(renderTable),
    renderComparisons(condition.comparisons),
    renderUnfinished(condition),
    '### Validity',
    validityStatements(findings, condition)
      .map((statement) => `- ${markdownText(statement)}`)
      .join('\n'),
  ].filter((part) => part !== '');
}

function renderTable(table: FindingsTable): string {
  const best = bestRows(table);
  const head = ['agent', ...table.columns.map((column) => column.short)];
  const rows = table.rows.map((row, at) => [
    row.agent === null ? '*all agents*' : markdownText(row.agent),
    ...row.figures.map((figure, place) => {
      if (figure.value === null) return percent(null);
      const value = `${percent(figure.value)}${figure.few ? '†' : ''}`;
      return `${best[place]?.has(at) ? `**${value}**` : value} [${intervalText(figure.interval)}] (${countText(figure)})`;
    }),
  ]);
  const note = table.note === null ? [] : ['', table.note];
  const definitions = table.columns.map((column) => `- ${column.short}: ${column.definition}`);
  return [`### ${table.title}`, '', ...markdownTable(head, rows), ...note, '', ...definitions].join('\n');
}

function renderComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons
    .filter(({ difference }) => difference.value !== null)
    .map(({ title, agent, left, right, difference, groups }) => [
      markdownText(title),
      agent === null ? '*all agents*' : markdownText(agent),
      `${markdownText(left.label)} ${percent(left.figure.value)}`,
      `${markdownText(right.label)} ${percent(right.figure.value)}`,
      pointsText(difference.value),
      pointsIntervalText(difference),
      groups === null ? `${difference.tasks} tasks` : `${groups} groups`,
    ]);
  if (rows.length === 0) return '';
  const head = ['comparison', 'agent', 'left', 'right', 'difference (points)', 'interval', 'n'];
  return ['### Paired differences', '', ...markdownTable(head, rows)].join('\n');
}

function renderUnfinished({ unfinished }: Condition): string {
  if (unfinished.length === 0) return '';
  const rows = unfinished.map(({ agent, task, attempt, stage, why }) => [
    markdownText(agent),
    markdownText(task),
    `${attempt}`,
    stage === null ? 'chain gate' : `m${stage}`,
    markdownText(why),
  ]);
  return ['### Unfinished runs', '', ...markdownTable(['agent', 'task', 'attempt', 'at', 'why'], rows)].join('\n');
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map((_, place) => (place === 0 ? '---' : '---:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}
