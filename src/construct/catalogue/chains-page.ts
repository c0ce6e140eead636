import type { Chain, ChainEdge, ChainStage, Chains } from '#documents/chains.js';
import { code, codePath, plain } from './markdown.js';
import { spanOf } from './span-of.js';

/** What of a long list is shown; the rest is in chains.json. */
const SHOWN = { symbols: 12, files: 10, tests: 8, edges: 4 };

/** chains.md: for each chain its stages with commits, symbols, files and tests, and why these belong together. */
export function chainsPage(document: Chains): string {
  const { repository, head, chains, counts, toolVersion, seed, completeness, admission } = document;
  const reviewer = chains[0]?.review.reviewer;
  const by =
    reviewer === undefined
      ? ''
      : `, reviewed by ${reviewer.by}${reviewer.model === null ? '' : ` (${plain(reviewer.model)})`}`;
  const lines = [
    `# Feature chains of ${plain(repository)}`,
    `${chains.length} chain(s) of ${counts.commits} commits in ${counts.groups} groups, ${counts.nodes} of which could be stages; ${counts.edges} pieces of evidence, ${counts.candidates} candidates${by}.`,
    `Head ${code(head)}, history ${completeness}, featurearc ${plain(toolVersion)}, seed ${code(seed)}. What fell out, and why, is in rejections.jsonl.`,
    '',
    ...(admission.length === 0 ? [] : ['| admission | | found |', '|---|---|---|', ...admission.map(criterionRow), '']),
    '| # | chain | feature | stages | span | relation | testability | removability | total | novelty |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...chains.map(chainRow),
    '',
    ...chains.flatMap(chainSection),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function criterionRow({ name, passed, found }: Chains['admission'][number]): string {
  return `| ${plain(name)} | ${passed === null ? 'unknown' : passed ? 'yes' : '**no**'} | ${plain(found)} |`;
}

function chainRow(chain: Chain, at: number): string {
  const { relation, testability, removability, total, novelty } = chain.rank;
  const scores = [relation.score, testability.score, removability.score, total, novelty.score].map((score) =>
    score.toFixed(2),
  );
  return `| ${at + 1} | ${code(chain.id)} | ${plain(chain.feature)} | ${chain.stages.length} | ${spanOf(chain)} | ${scores.join(' | ')} |`;
}

function chainSection(chain: Chain, at: number): string[] {
  const { relation, testability, removability, total, novelty } = chain.rank;
  const say = (name: string, { score, why }: { score: number; why: string }): string =>
    `- **${name} ${score.toFixed(2)}**: ${plain(why)}`;
  return [
    `## ${at + 1}. ${plain(chain.feature)}`,
    `Chain ${code(chain.id)}, ${chain.stages.length} stages, ${spanOf(chain)}, total ${total.toFixed(2)}; found by ${chain.foundBy.join(', ')}.`,
    ...(chain.symbols.length === 0 ? [] : [`Known by ${chain.symbols.map(code).join(', ')}.`]),
    '',
    say('relation', relation),
    say('testability', testability),
    say('removability', removability),
    say('novelty', novelty),
    '',
    ...chain.stages.flatMap(stageSection),
    '### Why these belong together',
    ...togetherLines(chain),
    ...reviewLines(chain),
    '',
  ];
}

function stageSection(stage: ChainStage, k: number): string[] {
  const sizes = [lines(stage.sourceLines, 'source'), lines(stage.testLines, 'test')].filter((size) => size !== null);
  const facts = [stage.at?.slice(0, 10) ?? 'no date', stage.intent, ...sizes].join(', ');
  const files = stage.files.map(
    ({ path, added, removed }) =>
      `${codePath(path)}${added === null || removed === null ? '' : ` (+${added} −${removed})`}`,
  );
  const tests = stage.tests.map(({ path, name, change }) =>
    name === null ? `${codePath(path)} (${plain(change)})` : `${code(name)} (${plain(change)})`,
  );
  return [
    `### m${k} ${plain(stage.title)}`,
    `${facts}`,
    '',
    `- commits: ${stage.commits.map((commit) => code(commit.slice(0, 12))).join(', ')}`,
    listLine('symbols', stage.symbols.map(code), SHOWN.symbols),
    listLine('files', files, SHOWN.files),
    listLine('tests', [...new Set(tests)], SHOWN.tests),
    `- belongs here: ${plain(stage.why === '' ? 'nobody wrote down why' : stage.why)}`,
    '',
  ];
}

function lines(count: number | null, what: string): string | null {
  return count === null ? null : `+${count} ${what} lines`;
}

function listLine(name: string, items: readonly string[], shown: number): string {
  const rest = items.length - shown;
  const text = items.slice(0, shown).join(', ');
  return `- ${name}: ${items.length === 0 ? 'none' : text}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** The strongest evidence between each stage and those before it. */
function togetherLines({ stages, edges }: Chain): string[] {
  return stages.flatMap((_stage, to) => {
    if (to === 0) return [];
    const into = edges.filter((edge) => edge.to === to).sort(byWeight);
    const rest = into.length - SHOWN.edges;
    if (into.length === 0) return [`- m${to}: no direct evidence to an earlier stage`];
    return [
      ...into.slice(0, SHOWN.edges).map(edgeLine),
      ...(rest > 0 ? [`- m${to}: and ${rest} weaker piece(s) of evidence`] : []),
    ];
  });
}

function edgeLine({ from, to, type, weight, explanation, id }: ChainEdge): string {
  return `- m${from} → m${to}, ${type} ${weight.toFixed(2)}: ${plain(explanation)} (${code(id)})`;
}

function byWeight(a: ChainEdge, b: ChainEdge): number {
  return b.weight - a.weight || (a.id < b.id ? -1 : 1);
}

function reviewLines({ review }: Chain): string[] {
  const changed = review.decisions.filter(({ action }) => action !== 'keep');
  return [
    '',
    `Review: ${plain(review.summary)}`,
    ...changed.map(
      ({ action, title, stage, why }) =>
        `- ${action} ${plain(title)}${stage === null ? '' : ` (m${stage})`}: ${plain(why)}`,
    ),
  ];
}
