import type { Condition, Spread } from '#documents/findings.js';
import { counted, NOTHING } from '../number-text.js';
import { type Markup, markup, NO_MARKUP } from './markup.js';

/** What the tasks are: languages, domains, lengths, and how large the reference change of a stage is. */
export function taskFacts(condition: Condition): Markup {
  const { languages, domains, lengths, stageFacts, tasks } = condition;
  const sizes: [string, Spread | null, (value: number) => string][] = [
    ['source lines per stage', stageFacts.sourceLines, whole],
    ['test lines per stage', stageFacts.testLines, whole],
    ['changed source files per stage', stageFacts.sourceFiles, whole],
    ['files shared with earlier stages', stageFacts.sharedFileShare, (value) => `${(value * 100).toFixed(0)}%`],
    ['source lines per feature', stageFacts.featureSourceLines, whole],
  ];
  const known = sizes.filter(([, spread]) => spread !== null);
  if (tasks.length < 2 && known.length === 0) return NO_MARKUP;
  const byLength = [...lengths].sort((a, b) => Number(a.name) - Number(b.name));
  return markup`<section><h2>Tasks</h2><div class="figures">
${shareList('Languages', languages, tasks.length)}${shareList('Domains', domains, tasks.length)}${shareList(
  'Stages per task',
  byLength,
  tasks.length,
)}${
  known.length === 0
    ? NO_MARKUP
    : markup`<figure><figcaption><h3>Size of the reference change</h3></figcaption><table class="plain"><caption>Size of the reference change</caption><thead><tr><th scope="col"></th><th scope="col">5%</th><th scope="col">median</th><th scope="col">mean</th><th scope="col">95%</th><th scope="col">n</th></tr></thead><tbody>${known.map(
        ([name, spread, text]) =>
          markup`<tr><th scope="row">${name}</th>${[spread?.p5, spread?.p50, spread?.mean, spread?.p95].map(
            (value) => markup`<td>${value === undefined ? NOTHING : text(value)}</td>`,
          )}<td>${spread?.n ?? 0}</td></tr>`,
      )}</tbody></table></figure>`
}
</div></section>`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Names with their counts as bars; neither unknown alone nor a single task is worth a figure. */
function shareList(title: string, shares: readonly { name: string; count: number }[], of: number): Markup {
  if (of < 2 || shares.every(({ name }) => name === 'unknown')) return NO_MARKUP;
  const most = Math.max(...shares.map(({ count }) => count));
  return markup`<figure><figcaption><h3>${title}</h3></figcaption><table class="bars"><caption>${title} of ${counted(of, 'task')}</caption><tbody>${shares.map(
    ({ name, count }) =>
      markup`<tr><th scope="row"><bdi>${name}</bdi></th><td><svg viewBox="0 0 300 12" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${(count / most) * 300}" height="12" rx="2"/></svg></td><td>${count}</td></tr>`,
  )}</tbody></table></figure>`;
}
