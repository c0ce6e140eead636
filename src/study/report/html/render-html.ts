import { createHash } from 'node:crypto';
import type { Comparison, Condition, Findings, FindingsTable } from '#documents/findings.js';
import { conditionName, conditionSetting, conditionSize, validityStatements } from '../condition-text.js';
import { counted, percent, pointsIntervalText, pointsText } from '../number-text.js';
import { classBars } from './class-bars.js';
import { effortTable } from './effort-table.js';
import { definitions, mainTable, plainTable } from './figure-table.js';
import { headline } from './headline.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';
import { pairedDots } from './paired-dots.js';
import { shareBars } from './share-bars.js';
import { gridLegend, gridSymbols, stageGrid } from './stage-grid.js';
import { STYLE } from './style.js';
import { survivalCurve } from './survival-curve.js';
import { taskFacts } from './task-facts.js';
import { unfinishedTable } from './unfinished-table.js';

/** The whole report as one file: no script, nothing fetched, readable in light and dark and on paper. */
export function renderHtml(findings: Findings): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const [first] = findings.conditions;
  const experiments = new Set(findings.conditions.map((condition) => condition.experiment));
  const name = experiments.size === 1 ? (first?.experiment ?? 'Results') : `${experiments.size} experiments`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="FeatureArc">
<title>${name} · FeatureArc report</title>
`;
  const body = markup`</head>
<body>
${gridSymbols()}
<header class="top"><p class="eyebrow">FeatureArc report</p><h1><bdi>${name}</bdi></h1>
<p class="lead">Can a coding agent keep a feature correct while the feature keeps growing on the agent's own code? Each run extends one feature stage by stage; hidden tests judge every stage, and the whole feature at the end.</p>
${findings.conditions.length > 1 ? conditionLinks(findings) : NO_MARKUP}${findings.notices.map((notice) => markup`<p class="notice">${notice}</p>`)}</header>
<main>${findings.conditions.map((condition, place) => conditionSection(findings, condition, place))}</main>
<footer><p>Made from ${findings.sources.map(({ where, lines }) => `${where} (${lines} lines)`).join(', ')}. Point at a column heading, a cell or a dot for its meaning.</p></footer>
</body>
</html>
`;
  // The style is our own text and its hash is in the policy, so it must enter byte for byte.
  return `${page.text}<style>${STYLE}</style>\n${body.text}`;
}

function conditionLinks({ conditions }: Findings): Markup {
  return markup`<nav class="conditions" aria-label="Conditions"><ul>${conditions.map((condition, place) => markup`<li><a href="#condition-${place}">${conditionName(condition)}</a></li>`)}</ul></nav>`;
}

function conditionSection(findings: Findings, condition: Condition, place: number): Markup {
  const table = (id: string): FindingsTable | undefined => condition.tables.find((candidate) => candidate.id === id);
  const [main] = condition.tables;
  return markup`<section class="condition" id="condition-${place}" aria-labelledby="condition-${place}-name">
${findings.conditions.length > 1 ? markup`<h2 id="condition-${place}-name"><bdi>${conditionName(condition)}</bdi></h2><p class="hint">${conditionSize(condition)}</p>` : markup`<h2 class="alone" id="condition-${place}-name">${conditionSetting(condition)}</h2>`}
${headline(condition)}
${main === undefined ? NO_MARKUP : performance(main, condition)}
<section><h2>Stage by stage</h2><p class="hint">One strip per run: a square per stage gate, then the chain gate. ${stageHint(condition)}</p>
${gridLegend(condition)}${stageGrid(condition)}</section>
${figures(condition, table)}
${verification(condition)}
${furtherTables(condition)}
${taskFacts(condition)}
${effortTable(condition)}
${unfinishedTable(condition)}
<section><h2>Validity</h2><ul class="validity">${validityStatements(findings, condition).map((statement) => markup`<li>${statement}</li>`)}</ul></section>
</section>`;
}

function stageHint({ level, mode }: Condition): string {
  if (mode !== null && mode !== 'chain')
    return "Each stage starts from reference code, so a failure is the stage's own.";
  if (level === 'L4')
    return 'A failed stage is neither rolled back nor reported to the agent; what follows is built on it.';
  return 'A failed stage is not rolled back; shown is the last verdict, which the next stage starts from.';
}

function performance(main: FindingsTable, condition: Condition): Markup {
  return markup`<section><h2>${main.title}</h2><p class="hint">Percent, sorted by Gate, best of each column in bold. The line under a figure is its interval on 0 to 100; then the interval and the counts.</p>
${mainTable(main, condition)}<details><summary>What the columns mean</summary>${definitions([main])}</details></section>`;
}

function figures(condition: Condition, table: (id: string) => FindingsTable | undefined): Markup {
  const comparisons = (id: string): Comparison[] => condition.comparisons.filter((comparison) => comparison.id === id);
  const draw = (id: string, drawing: (found: FindingsTable) => Markup): Markup => {
    const found = table(id);
    return found === undefined ? NO_MARKUP : drawing(found);
  };
  return markup`<section><h2>Along the chain</h2><div class="figures">
${pairedDots({ title: 'First stage against whole feature', about: 'How much of first-stage success is left when the whole feature is judged.', comparisons: comparisons('m0-gate'), filled: 'right' })}
${draw('run-classes', classBars)}
${draw('survival', survivalCurve)}
${pairedDots({ title: 'Next stage by what came before', about: 'F2P rate of stages from m1 on, after a stage that passed its gate and after one that failed it.', comparisons: comparisons('next-stage-f2p'), filled: 'left', note: withinGroups(comparisons('next-stage-f2p-within')) })}
${draw('gate-by-length', (found) => shareBars(found, 'Chain gate over the tasks of each length, all agents.'))}
${draw('position', (found) => shareBars(found, 'Stage gate at each position where every earlier stage passed, all agents.'))}
</div></section>`;
}

/** What agents inherit, notice and check; nothing where the results carry none of it. */
function verification({ tables, comparisons }: Condition): Markup {
  const filled = (id: string): FindingsTable | undefined =>
    tables.find((table) => table.id === id && table.rows.some((row) => row.figures.some((figure) => figure.of > 0)));
  const main = filled('verification');
  if (main === undefined) return NO_MARKUP;
  const bars: [string, string][] = [
    ['self-tests', 'Later stages by how they ended and what came before, all agents.'],
    ['criteria', "Stages by how many criteria the agent's own checks exercise, all agents."],
    ['spec-words', 'Later stages with all earlier passed, by words of specification so far, all agents.'],
    ['suite-failures', 'Stages that fail F2P, all agents.'],
  ];
  const within = comparisons.filter(
    ({ id, groups }) => id !== 'next-stage-f2p-within' && groups !== null && groups > 0,
  );
  return markup`<section><h2>${main.title}</h2><p class="hint">${main.note}</p>${plainTable(main)}<details><summary>What the columns mean</summary>${definitions([main])}</details>
${within.map((comparison) => markup`<p class="hint">${withinGroups([comparison])}</p>`)}
<div class="figures">${bars.map(([id, about]) => {
    const found = filled(id);
    return found === undefined ? NO_MARKUP : shareBars(found, about);
  })}</div></section>`;
}

/** The tables that nothing above shows. */
function furtherTables({ tables }: Condition): Markup {
  const rest = tables.filter(
    (table) => !SHOWN.has(table.id) && table.rows.some((row) => row.figures.some((figure) => figure.of > 0)),
  );
  return markup`${rest.map((table) => markup`<section><h2>${table.title}</h2>${table.note === null ? NO_MARKUP : markup`<p class="hint">${table.note}</p>`}${plainTable(table)}<details><summary>What the columns mean</summary>${definitions([table])}</details></section>`)}`;
}

const SHOWN = new Set([
  ...['main', 'run-classes', 'survival', 'next-stage', 'gate-by-length', 'position'],
  ...['verification', 'self-tests', 'criteria', 'spec-words', 'suite-failures'],
]);

/** The same comparison with task and stage held fixed, in a sentence. */
function withinGroups([comparison]: readonly Comparison[]): string | null {
  if (comparison === undefined || comparison.groups === null || comparison.groups === 0) return null;
  const { title, left, right, difference, groups } = comparison;
  return `${title} (${counted(groups, 'group')} holding both, weighted equally): ${percent(left.figure.value)} ${left.label}, ${percent(right.figure.value)} ${right.label}, ${pointsText(difference.value)} points${difference.interval === null ? '' : ` (${pointsIntervalText(difference)})`}.`;
}
