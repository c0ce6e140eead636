import type { Condition } from '#documents/findings.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** Which runs have no result yet, and why. */
export function unfinishedTable({ unfinished }: Condition): Markup {
  if (unfinished.length === 0) return NO_MARKUP;
  return markup`<section><h2>Unfinished runs</h2><p class="hint">Cut short for reasons that are not the agent's. They count nowhere until they are resolved.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Unfinished runs"><table class="words"><caption>Unfinished runs</caption><thead><tr><th scope="col">agent</th><th scope="col">task</th><th scope="col">attempt</th><th scope="col">at</th><th scope="col">why</th></tr></thead><tbody>${unfinished.map(
    ({ agent, task, attempt, stage, why }) =>
      markup`<tr><th scope="row"><bdi>${agent}</bdi></th><td><bdi>${task}</bdi></td><td>${attempt}</td><td>${stage === null ? 'chain gate' : `m${stage}`}</td><td>${why}</td></tr>
`,
  )}</tbody></table></div></section>`;
}
