import type { FindingsTable } from '#documents/findings.js';
import { counted, intervalText, percent } from '../number-text.js';
import { shareGrid, shareX } from './axis.js';
import { plainTable } from './figure-table.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

const WIDTH = 600;
const ROW = 40;
const AXIS = { left: 148, right: 452 };

/** The pooled row of a table as bars, one per column, with intervals and counts. */
export function shareBars(table: FindingsTable, about: string): Markup {
  const pooled = table.rows.at(-1);
  if (pooled === undefined || table.lacks !== null) return NO_MARKUP;
  const bars = table.columns.flatMap((column, place) => {
    const figure = pooled.figures[place];
    return figure === undefined || figure.value === null ? [] : [{ column, figure, value: figure.value }];
  });
  if (bars.length === 0) return NO_MARKUP;
  const bottom = 8 + bars.length * ROW;
  return markup`<figure><figcaption><h3>${table.title}</h3><p>${about}</p></figcaption>
<svg viewBox="0 0 ${WIDTH} ${bottom + 24}" role="img" aria-label="${table.title}: ${bars.map(({ column, value }) => `${column.short} ${percent(value)}`).join(', ')}">
${shareGrid(AXIS, 8, bottom)}
${bars.map(({ column, figure, value }, place) => {
  const y = 8 + place * ROW + 9;
  const { interval } = figure;
  const reach =
    interval === null
      ? NO_MARKUP
      : markup`<line class="cap" x1="${shareX(AXIS, interval.low)}" x2="${shareX(AXIS, interval.high)}" y1="${y + 11}" y2="${y + 11}"/><line class="cap" x1="${shareX(AXIS, interval.low)}" x2="${shareX(AXIS, interval.low)}" y1="${y + 7}" y2="${y + 15}"/><line class="cap" x1="${shareX(AXIS, interval.high)}" x2="${shareX(AXIS, interval.high)}" y1="${y + 7}" y2="${y + 15}"/>`;
  return markup`<text x="${AXIS.left - 12}" y="${y + 15}" text-anchor="end">${column.short}</text><rect class="track" x="${AXIS.left}" y="${y}" width="${AXIS.right - AXIS.left}" height="22" rx="3"/><rect class="bar" x="${AXIS.left}" y="${y}" width="${shareX(AXIS, value) - AXIS.left}" height="22" rx="3"/>${reach}<text class="t-bold" x="${AXIS.right + 14}" y="${y + 10}">${percent(value)}%</text><text class="t-soft t-small" x="${AXIS.right + 14}" y="${y + 24}">${intervalText(interval)} · ${counted(figure.of, column.unit)}</text>
`;
})}</svg><details><summary>Numbers</summary>${plainTable(table)}</details></figure>`;
}
