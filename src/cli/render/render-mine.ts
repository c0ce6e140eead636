import { type MineReport, spanOf } from '#construct/index.js';
import type { Chain, Chains } from '#documents/chains.js';
import { plainText } from './plain-text.js';

/** Admission, criterion by criterion, as notes. */
export function admissionLines(admission: Chains['admission']): string {
  const mark = (passed: boolean | null): string => (passed === null ? '?' : passed ? 'ok' : 'NO');
  const rows = admission.map(
    ({ name, passed, found }) => `  ${mark(passed).padEnd(3)}${name.padEnd(14)}${plainText(found)}`,
  );
  const unknown = admission.some(({ passed }) => passed === null)
    ? '\n  (?: unknown; it is for you to know before you publish tasks)'
    : '';
  return `admission:\n${rows.join('\n')}${unknown}`;
}

/** How many chains a model was to review and did not; null where there are none. */
export function unreviewedNote({ chains }: Pick<Chains, 'chains'>): string | null {
  const [first, ...rest] = chains.flatMap(({ review }) => (review.unreviewed === undefined ? [] : [review.unreviewed]));
  if (first === undefined) return null;
  return `warning: ${rest.length + 1} of ${chains.length} chain(s) were not reviewed and are as the searches found them: ${plainText(first)}`;
}

/** The chains as a table, best first, and where everything is. */
export function renderMine({ document, folder, files, rejections, seconds }: MineReport): string {
  const { chains, counts } = document;
  const rows = chains.map(tableRow);
  const head = `   #  chain           stages  span        rel   test  rem   total  new   feature\n`;
  const took = Object.entries(seconds).map(([step, part]) => `${step} ${part.toFixed(1)}`);
  return [
    chains.length === 0 ? emptyText(document) : head,
    ...rows,
    `${chains.length} chain(s) of ${counts.candidates} candidates; ${counts.commits} commits, ${counts.groups} groups, ${counts.nodes} possible stages, ${rejections.length} rejections\n`,
    `${plainText(files.map((file) => file.slice(folder.replace(/\/+$/, '').length + 1)).join(', '))} in ${plainText(folder)} (${took.join(', ')} s)\n`,
    chains.length === 0
      ? ''
      : `next: featurearc mine --explain 1 --out ${plainText(folder)}   featurearc build ${plainText(document.repository)} --chains ${plainText(files[0] ?? '')} --chain 1 --out tasks\n`,
  ].join('');
}

function tableRow(chain: Chain, at: number): string {
  const { relation, testability, removability, total, novelty } = chain.rank;
  const scores = [relation.score, testability.score, removability.score].map((score) => score.toFixed(2)).join('  ');
  return `${String(at + 1).padStart(4)}  ${chain.id.padEnd(14)}  ${String(chain.stages.length).padStart(6)}  ${spanOf(chain).padEnd(10)}  ${scores}  ${total.toFixed(2).padStart(5)}  ${novelty.score.toFixed(2)}  ${shorten(plainText(chain.feature).replaceAll('\n', ' '))}\n`;
}

const FEATURE_COLUMNS = 66;

function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= FEATURE_COLUMNS ? text : `${letters.slice(0, FEATURE_COLUMNS - 1).join('')}…`;
}

/** Paths are named: where nothing is found, one of them may be misspelt. */
function belowText(paths: unknown): string {
  return Array.isArray(paths) && paths.length > 0 ? `, below ${plainText(paths.join(', '))}` : '';
}

function emptyText({ counts, options }: Chains): string {
  if (counts.groups === 0)
    return `no chain: no group of commits is in the window that was asked for${belowText(options.paths)}\n`;
  if (counts.nodes === 0)
    return 'no chain: no group of commits changes source in Python, TypeScript/JavaScript, Rust or Go, and stands; rejections.jsonl says why of each\n';
  return 'no chain: no two changes with tests extend the same feature; rejections.jsonl says why, and --allow-untested looks further\n';
}

/** The same for machines: where everything is, and the table. */
export function mineJson({ document, folder, files, rejections, seconds }: MineReport): unknown {
  const { chains, ...facts } = document;
  return {
    folder,
    files,
    ...facts,
    rejections: rejections.length,
    seconds,
    chains: chains.map((chain, at) => ({
      rank: at + 1,
      id: chain.id,
      feature: chain.feature,
      stages: chain.stages.map(({ title, commits, at: instant }) => ({ title, commits, at: instant })),
      span: spanOf(chain),
      scores: {
        relation: chain.rank.relation.score,
        testability: chain.rank.testability.score,
        removability: chain.rank.removability.score,
        total: chain.rank.total,
        novelty: chain.rank.novelty.score,
      },
      foundBy: chain.foundBy,
    })),
  };
}
