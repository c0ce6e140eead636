import type { Comparison } from '#documents/findings.js';
import { counted, intervalText, percent, pointsIntervalText, pointsText } from '../number-text.js';
import { shortName } from '../visible-text.js';
import { shareGrid, shareX } from './axis.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

const WIDTH = 600;
const ROW = 30;
const TOP = 26;
const AXIS = { left: 176, right: 520 };

export interface PairedDots {
  readonly title: string;
  readonly about: string;
  readonly comparisons: readonly Comparison[];
  /** Which side is drawn filled; the other is a ring. */
  readonly filled: 'left' | 'right';
  /** Said below the figure. */
  readonly note?: string | null;
}

/** For each agent two shares on one line, each with its interval, and the difference in points at the end. */
export function pairedDots({ title, about, comparisons, filled, note }: PairedDots): Markup {
  const rows = comparisons.filter(({ left, right }) => left.figure.value !== null || right.figure.value !== null);
  const first = rows[0];
  if (first === undefined) return NO_MARKUP;
  const bottom = TOP + rows.length * ROW;
  return markup`<figure><figcaption><h3>${title}</h3><p>${about}</p></figcaption>
<svg viewBox="0 0 ${WIDTH} ${bottom + 24}" role="img" aria-label="${title}: ${rows.map(rowWords).join('; ')}">
${sideKey(first, filled)}<text class="t-soft t-small" x="${WIDTH}" y="12" text-anchor="end">Δ points</text>
${shareGrid(AXIS, TOP, bottom)}
${rows.map((row, place) => drawRow(row, TOP + place * ROW + ROW / 2, filled))}</svg>
${note == null ? NO_MARKUP : markup`<p class="hint">${note}</p>`}${numbers(title, rows)}</figure>`;
}

function sideKey({ left, right }: Comparison, filled: 'left' | 'right'): Markup {
  const [solid, hollow] = filled === 'left' ? [left.label, right.label] : [right.label, left.label];
  return markup`<circle class="dot" cx="${AXIS.left + 5}" cy="8" r="5"/><text class="t-small" x="${AXIS.left + 15}" y="12">${solid}</text><circle class="ring" cx="${AXIS.left + 125}" cy="8" r="4.4"/><text class="t-small" x="${AXIS.left + 135}" y="12">${hollow}</text>`;
}

function drawRow({ agent, left, right, difference }: Comparison, y: number, filled: 'left' | 'right'): Markup {
  const name = agent === null ? 'all agents' : shortName(agent, 24);
  const rule =
    agent === null
      ? markup`<line class="axis-strong" x1="0" x2="${WIDTH}" y1="${y - ROW / 2}" y2="${y - ROW / 2}"/>`
      : NO_MARKUP;
  const a = left.figure.value;
  const b = right.figure.value;
  const link =
    a === null || b === null
      ? NO_MARKUP
      : markup`<line class="link" x1="${shareX(AXIS, a)}" x2="${shareX(AXIS, b)}" y1="${y}" y2="${y}"/>`;
  return markup`${rule}<text x="${AXIS.left - 14}" y="${y + 4}" text-anchor="end"${agent === null ? markup` class="t-bold"` : NO_MARKUP}>${name}</text>${link}${drawSide(left, y - 3.5, filled === 'left')}${drawSide(right, y + 3.5, filled === 'right')}<text x="${WIDTH}" y="${y + 4}" text-anchor="end">${pointsText(difference.value)}</text>
`;
}

function drawSide({ figure }: Comparison['left'], y: number, solid: boolean): Markup {
  if (figure.value === null) return NO_MARKUP;
  const { interval } = figure;
  const reach =
    interval === null
      ? NO_MARKUP
      : markup`<line class="reach" x1="${shareX(AXIS, interval.low)}" x2="${shareX(AXIS, interval.high)}" y1="${y}" y2="${y}"/>`;
  const x = shareX(AXIS, figure.value);
  return markup`${reach}${solid ? markup`<circle class="dot" cx="${x}" cy="${y}" r="5"/>` : markup`<circle class="ring" cx="${x}" cy="${y}" r="4.4"/>`}`;
}

function rowWords({ agent, left, right, difference }: Comparison): string {
  return `${agent ?? 'all agents'} ${left.label} ${percent(left.figure.value)}, ${right.label} ${percent(right.figure.value)}, difference ${pointsText(difference.value)}`;
}

function numbers(title: string, rows: readonly Comparison[]): Markup {
  const [first] = rows;
  if (first === undefined) return NO_MARKUP;
  const cell = ({ figure }: Comparison['left']): Markup =>
    markup`<td><b>${percent(figure.value)}</b><small>${intervalText(figure.interval)}</small><small>of ${figure.of}</small></td>`;
  return markup`<details><summary>Numbers</summary><div class="scroll"><table><caption>${title}</caption><thead><tr><th scope="col">agent</th><th scope="col">${first.left.label}</th><th scope="col">${first.right.label}</th><th scope="col">difference, points</th><th scope="col">n</th></tr></thead><tbody>${rows.map(
    (
      row,
    ) => markup`<tr${row.agent === null ? markup` class="pooled"` : NO_MARKUP}><th scope="row">${row.agent === null ? 'All agents' : markup`<bdi>${row.agent}</bdi>`}</th>${cell(row.left)}${cell(row.right)}<td><b>${pointsText(row.difference.value)}</b><small>${pointsIntervalText(row.difference)}</small></td><td>${row.groups === null ? counted(row.difference.tasks, 'task') : counted(row.groups, 'group')}</td></tr>
`,
  )}</tbody></table></div></details>`;
}
