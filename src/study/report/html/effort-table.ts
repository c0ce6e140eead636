import type { Condition } from '#documents/findings.js';
import { NOTHING, secondsText } from '../number-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** Time and money per agent; nothing where the results carry none. */
export function effortTable({ effort }: Condition): Markup {
  if (effort.every((row) => row.stageSeconds === null && row.costUsd === null && row.inputTokens === null))
    return NO_MARKUP;
  const money = (usd: number | null): string => (usd === null ? NOTHING : `$${usd.toFixed(2)}`);
  const tokens = (count: number | null): string => (count === null ? NOTHING : `${(count / 1e6).toFixed(2)} M`);
  return markup`<section><h2>Time and cost</h2><p class="hint">Of finished runs. A total over stages of which some are unknown is unknown.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Time and cost"><table><caption>Time and cost per agent</caption><thead><tr><th scope="col">agent</th><th scope="col">stage time, median</th><th scope="col">p95</th><th scope="col">time per passed stage</th><th scope="col">cost</th><th scope="col">cost per passed stage</th><th scope="col">tokens in</th><th scope="col">tokens out</th><th scope="col">own overhead, median</th><th scope="col">p95</th></tr></thead><tbody>${effort.map(
    (
      row,
    ) => markup`<tr${row.agent === null ? markup` class="pooled"` : NO_MARKUP}><th scope="row">${row.agent === null ? 'All agents' : markup`<bdi>${row.agent}</bdi>`}</th><td>${secondsText(row.stageSeconds?.p50 ?? null)}</td><td>${secondsText(row.stageSeconds?.p95 ?? null)}</td><td>${secondsText(row.secondsPerPassedStage)}</td><td>${money(row.costUsd)}</td><td>${money(row.costUsdPerPassedStage)}</td><td>${tokens(row.inputTokens)}</td><td>${tokens(row.outputTokens)}</td><td>${secondsText(row.overheadSeconds?.p50 ?? null)}</td><td>${secondsText(row.overheadSeconds?.p95 ?? null)}</td></tr>
`,
  )}</tbody></table></div></section>`;
}
