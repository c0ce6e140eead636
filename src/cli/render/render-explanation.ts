import { spanOf } from '#construct/index.js';
import type { Chain } from '#documents/chains.js';
import { plainText } from './plain-text.js';

/** The evidence edges of one chain, stage by stage, strongest first, and what the review decided. */
export function renderExplanation(chain: Chain): string {
  const { relation, testability, removability, total, novelty } = chain.rank;
  const say = (name: string, { score, why }: { score: number; why: string }): string =>
    `  ${name.padEnd(13)} ${score.toFixed(2)}  ${line(why)}\n`;
  return [
    `${chain.id}  ${line(chain.feature)}\n`,
    `${chain.stages.length} stages, ${spanOf(chain)}, total ${total.toFixed(2)}, found by ${chain.foundBy.join(', ')}\n`,
    say('relation', relation),
    say('testability', testability),
    say('removability', removability),
    say('novelty', novelty),
    ...chain.stages.flatMap((stage, k) => [
      `\nm${k}  ${line(stage.title)}\n`,
      `    ${stage.at?.slice(0, 10) ?? 'no date'}  ${stage.intent}  ${stage.commits.map((commit) => commit.slice(0, 12)).join(' ')}\n`,
      ...(stage.why === '' ? [] : [`    ${line(stage.why)}\n`]),
      ...evidenceInto(chain, k),
    ]),
    `\nreview by ${chain.review.reviewer.by}${chain.review.reviewer.model === null ? '' : ` (${line(chain.review.reviewer.model)})`}: ${line(chain.review.summary)}\n`,
    ...chain.review.decisions.map(
      ({ action, title, stage, why, cites }) =>
        `  ${action.padEnd(5)} ${(stage === null ? '' : `m${stage}`).padEnd(4)} ${line(title)}\n             ${line(why)}${cites.length === 0 ? '' : ` [${cites.join(' ')}]`}\n`,
    ),
  ].join('');
}

function evidenceInto({ edges, stages }: Chain, k: number): string[] {
  const into = edges.filter(({ to }) => to === k).sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
  if (into.length === 0 && k > 0 && stages.length > 1) return ['    no direct evidence to an earlier stage\n'];
  return into.map(
    ({ from, type, weight, explanation, id }) =>
      `    <- m${from}  ${type.padEnd(11)} ${weight.toFixed(2)}  ${line(explanation)}  [${id}]\n`,
  );
}

function line(text: string): string {
  return plainText(text).replaceAll('\n', ' ');
}
