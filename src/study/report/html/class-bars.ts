import type { FindingsRow, FindingsTable } from '#documents/findings.js';
import { percent } from '../number-text.js';
import { shortName } from '../visible-text.js';
import { shareGrid, shareX } from './axis.js';
import { definitions, plainTable } from './figure-table.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

const WIDTH = 600;
const ROW = 27;
const AXIS = { left: 176, right: 590 };
const KEY_WIDTH = 98;

/** One bar per agent, split into the classes of its runs. */
export function classBars(table: FindingsTable): Markup {
  const rows = table.rows.filter((row) => row.figures.some(({ of }) => of > 0));
  if (rows.length === 0) return NO_MARKUP;
  const top = 30;
  const bottom = top + rows.length * ROW;
  return markup`<figure><figcaption><h3>${table.title}</h3><p>Every run in exactly one class. Clean and Recovered pass the chain gate; the others do not.</p></figcaption>
<svg viewBox="0 0 ${WIDTH} ${bottom + 24}" role="img" aria-label="${table.title}: ${rows.map((row) => rowWords(row, table)).join('; ')}">
${table.columns.map((column, place) => markup`<rect class="c${place}" x="${place * KEY_WIDTH + 2}" y="3" width="11" height="11" rx="2"/><text class="t-small" x="${place * KEY_WIDTH + 18}" y="12">${column.short}</text>`)}
${shareGrid(AXIS, top, bottom)}
${rows.map((row, place) => drawRow(row, table, top + place * ROW))}</svg><details><summary>Numbers</summary>${plainTable(table)}${definitions([table])}</details></figure>`;
}

function drawRow(row: FindingsRow, table: FindingsTable, y: number): Markup {
  let from = 0;
  const parts = row.figures.map((figure, place) => {
    const share = figure.value ?? 0;
    const x = shareX(AXIS, from);
    const width = shareX(AXIS, from + share) - x;
    from += share;
    if (width <= 0) return NO_MARKUP;
    const label =
      width > 26
        ? markup`<text class="t-in" x="${x + width / 2}" y="${y + 17.5}" text-anchor="middle">${Math.round(share * 100)}</text>`
        : NO_MARKUP;
    return markup`<g><title>${table.columns[place]?.short ?? ''}: ${percent(share)}% (${figure.sum} of ${figure.of})</title><rect class="c${place}" x="${x}" y="${y + 4}" width="${Math.max(0.5, width - 1)}" height="${ROW - 8}"/>${label}</g>`;
  });
  const name = row.agent === null ? 'all agents' : shortName(row.agent, 24);
  return markup`<text x="${AXIS.left - 14}" y="${y + 18}" text-anchor="end"${row.agent === null ? markup` class="t-bold"` : NO_MARKUP}>${name}</text>${parts}
`;
}

function rowWords(row: FindingsRow, table: FindingsTable): string {
  const parts = row.figures.map((figure, place) => `${table.columns[place]?.short ?? ''} ${percent(figure.value)}`);
  return `${row.agent ?? 'all agents'}: ${parts.join(', ')}`;
}
