import type { Condition, Spread } from '#documents/findings.js';
import { NOTHING, secondsText } from '../number-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** Time and money per agent; nothing where the results carry none. */
export function effortTable({ effort }: Condition): Markup {
  if (effort.every((row) => row.stageSeconds === null && row.costUsd === null && row.inputTokens === null))
    return NO_MARKUP;
  const money = (usd: number | null): string =>
    usd === null ? NOTHING : `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  const tokens = (count: number | null): string =>
    count === null ? NOTHING : `${(count / 1e6).toLocaleString('en-US', { maximumFractionDigits: 2 })} M`;
  return markup`<section><h2>Time and cost</h2><p class="hint">Of finished runs; times and overhead are medians. A total over stages of which some are unknown is unknown.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Time and cost"><table><caption>Time and cost per agent</caption><thead><tr><th scope="col">agent</th><th scope="col">stage time</th><th scope="col">time per passed stage</th><th scope="col">cost</th><th scope="col">cost per passed stage</th><th scope="col">tokens in</th><th scope="col">tokens out</th><th scope="col">own overhead per stage</th></tr></thead><tbody>${effort.map(
    (
      row,
    ) => markup`<tr${row.agent === null ? markup` class="pooled"` : NO_MARKUP}><th scope="row">${row.agent === null ? 'All agents' : markup`<bdi>${row.agent}</bdi>`}</th>${spreadCell(row.stageSeconds)}<td>${secondsText(row.secondsPerPassedStage)}</td><td>${money(row.costUsd)}</td><td>${money(row.costUsdPerPassedStage)}</td><td>${tokens(row.inputTokens)}</td><td>${tokens(row.outputTokens)}</td>${spreadCell(row.overheadSeconds)}</tr>
`,
  )}</tbody></table></div></section>`;
}

function spreadCell(spread: Spread | null): Markup {
  if (spread === null) return markup`<td>${NOTHING}</td>`;
  return markup`<td>${secondsText(spread.p50)}<small>p95 ${secondsText(spread.p95)}</small></td>`;
}
