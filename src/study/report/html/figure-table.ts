import type { Condition, Figure, FindingsRow, FindingsTable } from '#documents/findings.js';
import { bestRows } from '../best-figures.js';
import { counted, countText, intervalText, NOTHING, percent } from '../number-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** The main table: every figure large, with its interval as a whisker on the 0-100 line, in numbers, and its counts. */
export function mainTable(table: FindingsTable, condition: Condition): Markup {
  const best = bestRows(table);
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${table.title}"><table>
<caption>${table.title}: percent with interval and counts, sorted by Gate</caption>
<thead><tr><th scope="col">agent</th>${table.columns.map(
    (column) =>
      markup`<th scope="col"><abbr title="${column.definition}">${column.short}</abbr><small>${column.label}</small></th>`,
  )}</tr></thead>
<tbody>${table.rows.map(
    (
      row,
      at,
    ) => markup`<tr${row.agent === null ? markup` class="pooled"` : NO_MARKUP}>${rowHead(row, condition)}${row.figures.map(
      (figure, place) => mainCell(figure, best[place]?.has(at) ?? false),
    )}</tr>
`,
  )}</tbody></table></div>`;
}

function rowHead(row: FindingsRow, condition: Condition): Markup {
  const agent = condition.agents.find(({ agent: name }) => name === row.agent);
  const { runs, finished } = agent ?? condition;
  const size = finished === runs ? counted(runs, 'run') : `${finished} of ${counted(runs, 'run')} finished`;
  return markup`<th scope="row">${row.agent === null ? 'All agents' : markup`<bdi>${row.agent}</bdi>`}<small>${size}</small></th>`;
}

function mainCell(figure: Figure, best: boolean): Markup {
  if (figure.value === null) {
    return markup`<td>${NOTHING}<small>${figure.unknown > 0 ? `${figure.unknown} unknown` : 'nothing to count'}</small></td>`;
  }
  return markup`<td${best ? markup` class="best"` : NO_MARKUP}>${valueMarkup(figure)}${whisker(figure)}<small>${boundsMarkup(figure)} <i>${countText(figure)}</i></small></td>`;
}

function valueMarkup(figure: Figure): Markup {
  return markup`<b>${percent(figure.value)}</b>${figure.few ? markup`<sup title="Few counted">†</sup>` : NO_MARKUP}`;
}

function boundsMarkup({ interval }: Figure): Markup {
  return interval === null ? markup`no interval` : markup`${intervalText(interval)}`;
}

/** The interval on a line from 0 to 100. Its numbers stand below it, so it is hidden from readers aloud. */
function whisker({ value, interval }: Figure): Markup {
  const x = (share: number): number => 4 + share * 104;
  const reach =
    interval === null
      ? NO_MARKUP
      : markup`<line class="reach" x1="${x(interval.low)}" x2="${x(interval.high)}" y1="4.5" y2="4.5"/>`;
  return markup`<svg class="whisker" viewBox="0 0 112 9" aria-hidden="true"><line class="axis" x1="4" x2="108" y1="4.5" y2="4.5"/>${reach}<circle class="dot" cx="${x(value ?? 0)}" cy="4.5" r="3.2"/></svg>`;
}

/** A further table, compact: value, interval and counts in each cell. */
export function plainTable(table: FindingsTable): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${table.title}"><table>
<caption>${table.title}</caption>
<thead><tr><th scope="col">agent</th>${table.columns.map(
    (column) => markup`<th scope="col"><abbr title="${column.definition}">${column.short}</abbr></th>`,
  )}</tr></thead>
<tbody>${table.rows.map(
    (
      row,
    ) => markup`<tr${row.agent === null ? markup` class="pooled"` : NO_MARKUP}><th scope="row">${row.agent === null ? 'All agents' : markup`<bdi>${row.agent}</bdi>`}</th>${row.figures.map(
      (figure) =>
        figure.value === null
          ? markup`<td>${NOTHING}</td>`
          : markup`<td>${valueMarkup(figure)}<small>${boundsMarkup(figure)} <i>${countText(figure)}</i></small></td>`,
    )}</tr>
`,
  )}</tbody></table></div>`;
}

/** What the columns of tables mean. */
export function definitions(tables: readonly FindingsTable[]): Markup {
  return markup`<dl class="words">${tables.flatMap((table) =>
    table.columns.map((column) => markup`<dt>${column.short}</dt><dd>${column.definition}</dd>`),
  )}</dl>`;
}
