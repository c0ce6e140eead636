import type { Chain, Chains } from '#documents/chains.js';
import { Fault } from '#kernel/faults.js';

const NEAR = 5;

/**
 * The chain that somebody means: by id, by the beginning of an id, or by its rank (1 is the best).
 * @throws Fault `chain-unknown` (input) with the chains that come nearest
 */
export function pickChain({ chains }: Pick<Chains, 'chains'>, asked: string, where: string): Chain {
  const wanted = asked.trim().toLowerCase();
  const exact = chains.find(({ id }) => id === wanted);
  if (exact !== undefined) return exact;
  const byRank = /^[1-9][0-9]{0,3}$/.test(wanted) ? chains[Number(wanted) - 1] : undefined;
  if (byRank !== undefined) return byRank;
  const begun =
    wanted.length < 3 ? [] : chains.filter(({ id }) => id.startsWith(wanted) || id.slice(2).startsWith(wanted));
  const [first] = begun;
  if (first !== undefined && begun.length === 1) return first;
  const near = nearest(chains, wanted, begun);
  const none = `no chain of ${where} is named ${JSON.stringify(asked)}`;
  throw new Fault({
    code: 'chain-unknown',
    kind: 'input',
    message: begun.length > 1 ? `${begun.length} chains of ${where} begin with ${JSON.stringify(asked)}` : none,
    hint:
      near.length === 0
        ? 'The file has no chains at all: mine again, with a wider window or --allow-incomplete.'
        : `Nearest are:\n${near.map((chain) => `${chain.id}  ${chains.indexOf(chain) + 1}. ${chain.feature}`).join('\n')}`,
    context: { near: near.map(({ id }) => id) },
  });
}

/** Chains whose id is spelled most alike, and those whose name holds what was asked for. */
function nearest(chains: readonly Chain[], wanted: string, begun: readonly Chain[]): Chain[] {
  if (begun.length > 0) return begun.slice(0, NEAR);
  const about = chains.filter(({ feature }) => wanted.length > 2 && feature.toLowerCase().includes(wanted));
  const alike = [...chains].sort((a, b) => shared(b.id, wanted) - shared(a.id, wanted));
  return [...new Set([...about, ...alike])].slice(0, NEAR);
}

/** Length of the common beginning. */
function shared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
