import type { Condition, Figure } from '#documents/findings.js';
import { pooledEffort, sandboxText } from '../condition-text.js';
import { counted, intervalText, NOTHING, percent, secondsText } from '../number-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** The four facts a reader wants first. */
export function headline(condition: Condition): Markup {
  const main = condition.tables[0];
  const pooled = main?.rows.at(-1);
  const figure = (id: string): Figure | undefined =>
    pooled?.figures[main?.columns.findIndex((column) => column.id === id) ?? -1];
  const unfinished = condition.runs - condition.finished;
  const spread = pooledEffort(condition)?.overheadSeconds ?? null;
  return markup`<dl class="facts">
<div class="fact"><dt>From the first stage to the whole feature${condition.agents.length > 1 ? ', all agents' : ''}</dt>${fall(figure('m0'), figure('gate'))}</div>
<div class="fact"><dt>Runs</dt><dd>${condition.finished}<small>${unfinished === 0 ? 'all finished' : `finished of ${condition.runs}; ${unfinished} unfinished, in no denominator`}</small></dd></div>
<div class="fact"><dt>Sandbox</dt><dd>${sandboxText(condition)}<small>${condition.sandboxes.length === 0 ? 'the results do not say' : 'what the agents worked in'}</small></dd></div>
<div class="fact"><dt>Own overhead per stage</dt><dd>${spread === null ? NOTHING : secondsText(spread.p50)}<small>${spread === null ? 'not measured' : `median; p95 ${secondsText(spread.p95)} over ${counted(spread.n, 'stage')}`}</small></dd></div>
</dl>`;
}

function fall(first: Figure | undefined, gate: Figure | undefined): Markup {
  const share = (figure: Figure | undefined): string => (figure?.value == null ? NOTHING : `${percent(figure.value)}%`);
  const bounds = (figure: Figure | undefined): string =>
    figure?.interval == null ? 'no interval' : intervalText(figure.interval);
  return markup`<dd><span class="fall"><b>${share(first)}</b><i aria-label="to">→</i><b>${share(gate)}</b></span><small>m0 ${bounds(first)} · chain gate ${bounds(gate)}</small></dd>${
    first?.value == null || gate?.value == null ? NO_MARKUP : bars(first.value, gate.value)
  }`;
}

function bars(first: number, gate: number): Markup {
  return markup`<dd aria-hidden="true"><svg viewBox="0 0 400 14" preserveAspectRatio="none" height="14"><rect class="track" width="400" height="14"/><rect class="band" width="${first * 400}" height="14"/><rect class="bar" width="${gate * 400}" height="14"/></svg></dd>`;
}
