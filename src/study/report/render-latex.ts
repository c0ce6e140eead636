import type { Condition, Findings, FindingsTable } from '#documents/findings.js';
import { bestRows } from './best-figures.js';
import { conditionName, conditionSize } from './condition-text.js';
import { NOTHING, percent } from './number-text.js';
import { visibleText } from './visible-text.js';

/** The main table of every condition for a paper (needs the packages booktabs and fontenc T1, UTF-8 input). */
export function renderLatex(findings: Findings): string {
  return findings.conditions
    .flatMap((condition) => {
      const main = condition.tables[0];
      return main === undefined ? [] : [renderTable(main, condition, findings)];
    })
    .join('\n');
}

function renderTable(table: FindingsTable, condition: Condition, findings: Findings): string {
  const best = bestRows(table);
  const rows = table.rows.map((row, at) => {
    const cells = row.figures.map((figure, place) => {
      if (figure.value === null) return '--';
      const value = best[place]?.has(at) ? `\\textbf{${percent(figure.value)}}` : percent(figure.value);
      const bounds =
        figure.interval === null
          ? ''
          : ` {\\scriptsize [${percent(figure.interval.low)}, ${percent(figure.interval.high)}]}`;
      return `${value}${figure.few ? '$^\\dagger$' : ''}${bounds}`;
    });
    const rule = row.agent === null ? '\\midrule\n' : '';
    return `${rule}${row.agent === null ? 'All agents' : latexText(row.agent)} & ${cells.join(' & ')} \\\\`;
  });
  return [
    '\\begin{table}',
    '\\centering',
    `\\caption{${latexText(`${conditionName(condition)}: ${conditionSize(condition)}.`)} Percent with ${Math.round(findings.confidence * 100)}\\% intervals (bootstrap over tasks, ${findings.resamples} resamples; Wilson where all tasks agree).}`,
    `\\begin{tabular}{l${'r'.repeat(table.columns.length)}}`,
    '\\toprule',
    `Agent & ${table.columns.map((column) => latexText(column.short)).join(' & ')} \\\\`,
    '\\midrule',
    ...rows,
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '↓': '$\\downarrow$',
  '·': '$\\cdot$',
  [NOTHING]: '--',
};

/** Text of others as plain characters for LaTeX. */
export function latexText(text: string): string {
  return visibleText(text).replace(
    /[\\{}~^↓·–#$%&_"]/g,
    (special) => LATEX[special] ?? `\\${special === '"' ? 'textquotedbl{}' : special}`,
  );
}
