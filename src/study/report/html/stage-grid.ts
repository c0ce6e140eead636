import type { CellState, Condition, GridCell, GridRun } from '#documents/findings.js';
import { counted } from '../number-text.js';
import { shortName } from '../visible-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

const STEP = 16.5;
/** Longer chains wrap, so that ten agents fit beside each other. */
const PER_LINE = 5;

/** How every state is drawn: shape and colour both tell it. */
const SYMBOLS: Record<CellState, { words: string; className: string; sign: Markup }> = {
  passed: { words: 'passed', className: 'g-pass', sign: NO_MARKUP },
  'f2p-failed': {
    words: 'F2P failed',
    className: 'g-f2p',
    sign: markup`<path class="g-sign" d="M4.2 4.2l5.6 5.6M9.8 4.2l-5.6 5.6"/>`,
  },
  'p2p-failed': { words: 'P2P failed', className: 'g-p2p', sign: markup`<path class="g-sign" d="M3.8 7h6.4"/>` },
  'both-failed': {
    words: 'F2P and P2P failed',
    className: 'g-both',
    sign: markup`<path class="g-sign" d="M4.4 3l5.2 5.2M9.6 3l-5.2 5.2M3.8 11h6.4"/>`,
  },
  unknown: { words: 'verdict unknown', className: 'g-unknown', sign: NO_MARKUP },
  unfinished: { words: 'unfinished for outside reasons', className: 'g-cut', sign: NO_MARKUP },
  missing: { words: 'no result', className: 'g-none', sign: NO_MARKUP },
};

/** The drawings that every cell refers to; put once into the page. */
export function gridSymbols(): Markup {
  return markup`<svg width="0" height="0" aria-hidden="true"><defs>${(Object.keys(SYMBOLS) as CellState[]).map(
    (state) => {
      const { className, sign } = SYMBOLS[state];
      if (state === 'missing') {
        const dot = markup`<circle class="g-none" cx="7" cy="7" r="1.7"/>`;
        return markup`<g id="s-missing">${dot}</g><g id="c-missing">${dot}</g>`;
      }
      return markup`<g id="s-${state}"><rect class="${className}" x=".7" y=".7" width="12.6" height="12.6" rx="2.6"/>${sign}</g><g id="c-${state}"><circle class="${className}" cx="7" cy="7" r="6.6"/>${sign}</g>`;
    },
  )}<path id="g-mark" class="g-mark" d="M8.4 -.8h6.4v6.4z"/><circle id="g-early" class="g-early" cx="7" cy="11.6" r="1.3"/></defs></svg>`;
}

/** Agents x tasks, each run a strip of stages and its chain gate. Tasks are grouped by length. */
export function stageGrid({ grid, tasks, agents, mostAttempts }: Condition): Markup {
  const runs = new Map<string, GridRun[]>();
  for (const run of grid) {
    const key = JSON.stringify([run.agent, run.task]);
    runs.set(key, [...(runs.get(key) ?? []), run]);
  }
  const look = { named: mostAttempts > 1, scale: scaleFor(agents.length) };
  const lengths = [...new Set(tasks.map((task) => task.stages))].sort((a, b) => a - b);
  return markup`<div class="scroll gridbox" tabindex="0" role="region" aria-label="Stage-by-stage grid"><table class="grid">
<caption>Every stage of every run: one row per task, one column per agent</caption>
<thead><tr><th scope="col">task</th>${agents.map(({ agent }) => markup`<th scope="col" title="${agent}"><bdi>${shortName(agent, 36)}</bdi></th>`)}</tr></thead>
${lengths.map((length) => {
  const group = tasks.filter((task) => task.stages === length);
  const head =
    lengths.length > 1
      ? markup`<tr><th class="group" scope="rowgroup" colspan="${agents.length + 1}">${counted(length, 'stage')} · ${counted(group.length, 'task')}</th></tr>`
      : NO_MARKUP;
  return markup`<tbody>${head}${group.map(
    ({
      task,
      language,
    }) => markup`<tr><th scope="row" title="${task}"><bdi>${shortName(task, 48)}</bdi>${language === null ? NO_MARKUP : markup` <small>${language}</small>`}</th>${agents.map(
      ({ agent }) => markup`<td>${(runs.get(JSON.stringify([agent, task])) ?? []).map((run) => strip(run, look))}</td>`,
    )}</tr>
`,
  )}</tbody>`;
})}</table></div>`;
}

interface StripLook {
  /** Whether the run's attempt is told. */
  readonly named: boolean;
  /** Size against the drawings' own. */
  readonly scale: number;
}

/** Fewer agents leave room for larger cells. */
function scaleFor(agents: number): number {
  return agents <= 3 ? 1.3 : agents <= 6 ? 1.05 : 0.84;
}

function strip(run: GridRun, { named, scale }: StripLook): Markup {
  const place = (at: number): { x: number; y: number } => ({
    x: (at % PER_LINE) * STEP,
    y: Math.floor(at / PER_LINE) * STEP,
  });
  const end = place(run.cells.length - 1);
  const chainX = end.x + STEP + 5;
  const cells = [...run.cells, ...(run.chain === null ? [] : [run.chain])];
  const label = `${named ? `attempt ${run.attempt}: ` : ''}${cells.map(cellWords).join('; ')}`;
  const width =
    Math.max(run.cells.length > PER_LINE ? PER_LINE * STEP : 0, run.chain === null ? end.x + STEP : chainX + STEP) + 1;
  const height = end.y + 17;
  return markup`<svg role="img" aria-label="${label}" width="${width * scale}" height="${height * scale}" viewBox="-1 -1.5 ${width} ${height}">${run.cells.map(
    (cell, at) => cellMarkup(cell, place(at)),
  )}${run.chain === null ? NO_MARKUP : cellMarkup(run.chain, { x: chainX, y: end.y })}</svg>`;
}

function cellMarkup(cell: GridCell, { x, y }: { x: number; y: number }): Markup {
  const early = endedEarly(cell) ? markup`<use href="#g-early"/>` : NO_MARKUP;
  const mark = cell.marks.length > 0 ? markup`<use href="#g-mark"/>` : NO_MARKUP;
  return markup`<g transform="translate(${x} ${y})"><title>${cellWords(cell)}</title><use href="#${cell.stage === null ? 'c' : 's'}-${cell.state}"/>${early}${mark}</g>`;
}

function endedEarly({ stage, outcome, state }: GridCell): boolean {
  return stage !== null && outcome !== null && outcome !== 'completed' && state !== 'unfinished';
}

/** A cell in words, for tooltips and readers aloud. */
function cellWords(cell: GridCell): string {
  const { stage, state, outcome, failure, marks, flips, rounds, tests } = cell;
  const facts = [SYMBOLS[state].words];
  if (tests !== null && tests.f2pTotal !== null) facts.push(`F2P ${tests.f2pPassed ?? '?'}/${tests.f2pTotal}`);
  if (tests !== null && tests.p2pTotal !== null) facts.push(`P2P ${tests.p2pPassed ?? '?'}/${tests.p2pTotal}`);
  if (failure !== null && failure !== 'tests') facts.push(`cause: ${failure}`);
  if (stage !== null && outcome !== null && outcome !== 'completed') facts.push(outcome);
  if (rounds > 0) facts.push(counted(rounds, 'repair round'));
  if (flips !== null && flips > 0) facts.push(counted(flips, 'test that flipped', 'tests that flipped'));
  if (marks.length > 0) facts.push(`marks: ${marks.join(', ')}`);
  return `${stage === null ? 'chain gate' : `m${stage}`} ${facts.join(', ')}`;
}

/** What the drawings mean; only those that occur. */
export function gridLegend({ grid }: Condition): Markup {
  const cells = grid.flatMap((run) => [...run.cells, ...(run.chain === null ? [] : [run.chain])]);
  const states = (Object.keys(SYMBOLS) as CellState[]).filter((state) => cells.some((cell) => cell.state === state));
  const item = (inside: Markup, words: string): Markup =>
    markup`<li><svg width="16" height="16" viewBox="-1 -1 16 16" aria-hidden="true">${inside}</svg>${words}</li>`;
  return markup`<ul class="legend">${states.map((state) => item(markup`<use href="#s-${state}"/>`, SYMBOLS[state].words))}${
    cells.some((cell) => cell.stage === null)
      ? item(markup`<use href="#c-passed"/>`, 'round: chain gate on the final workspace')
      : NO_MARKUP
  }${cells.some(endedEarly) ? item(markup`<use href="#s-f2p-failed"/><use href="#g-early"/>`, 'agent did not complete (time, budget, error, refusal)') : NO_MARKUP}${
    cells.some((cell) => cell.marks.length > 0)
      ? item(markup`<use href="#s-passed"/><use href="#g-mark"/>`, 'the grader left a mark (point at the cell)')
      : NO_MARKUP
  }</ul>`;
}
