import type { Figure, FindingsRow, FindingsTable } from '#documents/findings.js';
import { counted, percent } from '../number-text.js';
import { plainTable } from './figure-table.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

const WIDTH = 600;
const HEIGHT = 300;
const LEFT = 40;
const RIGHT = 575;
const TOP = 14;
const BOTTOM = 246;

/** Stages that fewer tasks reach are drawn apart: a single task would bend the curve. */
const FEW_TASKS = 5;

/** The share of runs still without a failure after each stage: all agents as a thick line with its interval, each agent thin. */
export function survivalCurve(table: FindingsTable): Markup {
  const pooled = table.rows.at(-1);
  if (pooled === undefined || table.lacks !== null || table.columns.length === 0) return NO_MARKUP;
  const x = (stage: number): number =>
    LEFT + 14 + (stage * (RIGHT - LEFT - 28)) / Math.max(1, table.columns.length - 1);
  const most = Math.max(...pooled.figures.map((figure) => figure.tasks));
  // In a small experiment every stage is reached by few tasks; then none is drawn apart.
  const firm =
    most < FEW_TASKS ? table.columns.length : pooled.figures.filter((figure) => figure.tasks >= FEW_TASKS).length;
  const points = pointsOf(pooled.figures, x);
  const about = firm < table.columns.length ? ` Dotted: fewer than ${FEW_TASKS} tasks.` : '';
  return markup`<figure><figcaption><h3>${table.title}</h3><p>Share of runs in which every stage so far passed, over the tasks that are long enough. Thick: all agents, with interval; thin: each agent.${about}</p></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${table.title}: ${pooled.figures.map((figure, stage) => `m${stage} ${percent(figure.value)}`).join(', ')}">
${[0, 0.25, 0.5, 0.75, 1].map((share) => markup`<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${yOf(share)}" y2="${yOf(share)}"/><text class="t-soft t-small" x="${LEFT - 8}" y="${yOf(share) + 4}" text-anchor="end">${share * 100}${share === 1 ? '%' : ''}</text>`)}
${band(pooled.figures.slice(0, firm), x)}${table.rows.filter((row) => row.agent !== null).map((row) => thinCurve(row, firm, x))}
<path class="curve-few" d="${path(points.slice(Math.max(0, firm - 1)))}"/><path class="curve" d="${path(points.slice(0, firm))}"/>${points.map((point, stage) => markup`<circle class="${stage < firm ? 'dot' : 'ring'}" cx="${point.x}" cy="${point.y}" r="${stage < firm ? 4 : 3}"><title>${point.words}</title></circle><text class="t-bold t-halo" x="${point.x + 5}" y="${point.y - 8}">${point.value}</text>`)}
${pooled.figures.map((figure, stage) => markup`<text class="t-soft" x="${x(stage)}" y="${BOTTOM + 20}" text-anchor="middle">m${stage}</text><text class="t-soft t-small" x="${x(stage)}" y="${BOTTOM + 36}" text-anchor="middle">${counted(figure.tasks, 'task')}</text>`)}
</svg><details><summary>Numbers</summary>${plainTable(table)}</details></figure>`;
}

function yOf(share: number): number {
  return BOTTOM - share * (BOTTOM - TOP);
}

interface CurvePoint {
  x: number;
  y: number;
  value: string;
  words: string;
}

function pointsOf(figures: readonly Figure[], x: (stage: number) => number): CurvePoint[] {
  return figures.flatMap((figure, stage) =>
    figure.value === null
      ? []
      : [
          {
            x: x(stage),
            y: yOf(figure.value),
            value: percent(figure.value),
            words: `m${stage}: ${percent(figure.value)} of ${counted(figure.of, 'run')} on ${counted(figure.tasks, 'task')}`,
          },
        ],
  );
}

function thinCurve(row: FindingsRow, firm: number, x: (stage: number) => number): Markup {
  return markup`<path class="curve-thin" d="${path(pointsOf(row.figures.slice(0, firm), x))}"><title>${row.agent ?? ''}</title></path>`;
}

function band(figures: readonly Figure[], x: (stage: number) => number): Markup {
  const known = figures.flatMap(({ interval }, stage) => (interval === null ? [] : [{ stage, ...interval }]));
  // A band with holes would draw certainty where there is none.
  if (known.length < figures.length || known.length < 2) return NO_MARKUP;
  const edge = [
    ...known.map(({ stage, high }) => ({ x: x(stage), y: yOf(high) })),
    ...known.reverse().map(({ stage, low }) => ({ x: x(stage), y: yOf(low) })),
  ];
  return markup`<path class="band" d="${path(edge)}Z"/>`;
}

function path(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
