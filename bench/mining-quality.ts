// Recall of true chains and joined negatives among the 30 best by relation: mining-quality --repo DIR --truth FILE [...] [--cache DIR] [--without TYPE] [--search NAME] [--list N]
import { parseArgs } from 'node:util';
import { type ChainOptions, findChains } from '#construct/chains/index.js';
import { analyseHistory, type ChangeGroup } from '#construct/history/index.js';
import { evidenceTypes, searchNames } from '#documents/chains.js';
import { silentProgress } from '#kernel/events.js';
import { joinedNegatives, judgeChains, LOOKED_AT } from './support/judge-mining.js';
import { readTruth } from './support/truth.js';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', multiple: true, default: [] },
    truth: { type: 'string', multiple: true, default: [] },
    cache: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    search: { type: 'string', multiple: true, default: [] },
    /** Prints so many of the best chains. */
    list: { type: 'string', default: '0' },
    rank: { type: 'string', default: 'relation' },
    /** Does not look beyond the best chains for why one is missed. */
    brief: { type: 'boolean', default: false },
  },
});

const EVERYTHING = 100_000;
const options: ChainOptions = {
  rank: values.rank === 'total' ? 'total' : 'relation',
  limit: LOOKED_AT,
  evidence: evidenceTypes.options.filter((type) => !values.without.includes(type)),
  searches: searchNames.options.filter((name) => values.search.length === 0 || values.search.includes(name)),
};

let found = 0;
let chains = 0;
let joined = 0;
let negatives = 0;
if (values.repo.length === 0) console.log('mining-quality: skipped, no repository (give --repo DIR --truth FILE)');
for (const [at, repository] of values.repo.entries()) await judge(repository, values.truth[at] ?? '');
if (chains > 0)
  console.log(
    `together: recall ${found} of ${chains} (${Math.round((100 * found) / chains)} %), negatives joined ${joined} of ${negatives}`,
  );

async function judge(repository: string, truthFile: string): Promise<void> {
  const truth = await readTruth(truthFile);
  const history = await analyseHistory(
    repository,
    { cacheFolder: values.cache ?? null, head: truth.snapshot_head, allowIncomplete: true },
    silentProgress,
  );
  const started = performance.now();
  const { chains: top, rejections, graph, candidates } = await findChains(history, options);
  const ms = performance.now() - started;
  // The rest of the list says why a chain is missed.
  const { chains: rest } = values.brief ? { chains: [] } : await findChains(history, { ...options, limit: EVERYTHING });
  const known = new Set(top.map(({ id }) => id));
  const reported = [...top, ...rest.filter(({ id }) => !known.has(id))];
  const nodes = new Set(graph.nodes.map(({ id }) => id));
  const rejected = new Map(rejections.map(({ candidate, reason }) => [candidate, reason]));
  const isNode = ({ id }: ChangeGroup): string | null => (nodes.has(id) ? null : (rejected.get(id) ?? 'no source'));
  const verdicts = judgeChains(truth, history, reported, isNode);
  const wrong = joinedNegatives(truth, top);
  const hits = verdicts.filter((verdict) => verdict.found !== null);
  console.log(
    `${truth.repo}: recall ${hits.length} of ${verdicts.length}, negatives joined ${wrong.length} of ${truth.negatives.length}, ${nodes.size} nodes, ${candidates} candidates, ${reported.length} chains, ${ms.toFixed(0)} ms`,
  );
  for (const { truth: chain, found: match, why } of verdicts)
    console.log(
      match === null
        ? `  missed ${chain.id}: ${why}`
        : `  found  ${chain.id}: ranked ${match.rank}, ${match.covered} of ${chain.stages.length} stages, ${match.belonging} of its ${match.judged} belong`,
    );
  for (const { why, chain } of wrong) console.log(`  joined in ${chain}: ${why}`);
  for (const [position, chain] of reported.slice(0, Number(values.list)).entries()) {
    const { relation, testability, removability, total } = chain.rank;
    console.log(
      `  ${position + 1}. ${chain.id} ${chain.feature} [${relation.score} ${testability.score} ${removability.score} ${total}] ${chain.foundBy.join()}`,
    );
    for (const stage of chain.stages)
      console.log(
        `       ${stage.at?.slice(0, 10)} ${stage.intent.padEnd(9)} ${stage.commits[0]?.slice(0, 8)} ${stage.title.slice(0, 90)}`,
      );
  }
  found += hits.length;
  chains += verdicts.length;
  joined += wrong.length;
  negatives += truth.negatives.length;
}
