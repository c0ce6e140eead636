import type { Repository } from '#git/index.js';
import type { HistoryStep } from './stages.js';

/** The part of history that lies between the named commits and the checkpoint, with who descends from whom. */
export interface CommitGraph {
  /** True where `ancestor` is `descendant` or is reached from it through parents. */
  isAncestor(ancestor: string, descendant: string): boolean;
  /** Position in an order in which parents come before children; null outside the graph. */
  position(oid: string): number | null;
  parents(oid: string): readonly string[];
  /** Steps from `from` (left out) to `to` (the last), by first parents wherever they lead there; null without a way. */
  walk(from: string, to: string): HistoryStep[] | null;
}

/** Reads the graph in one process. `commits` are full ids; what lies below all of them is left out. */
export async function readCommitGraph(repository: Repository, commits: readonly string[]): Promise<CommitGraph> {
  const base = await repository.git({ args: ['merge-base', '--octopus', ...commits], accept: [0, 1] });
  const below = base.stdout.toString('latin1').trim();
  const listed = await repository.git({
    args: [
      'rev-list',
      '--topo-order',
      '--reverse',
      '--parents',
      ...commits,
      ...(below === '' ? [] : ['--not', `${below}^@`]),
      '--',
    ],
  });
  const order: { oid: string; parents: string[] }[] = [];
  for (const line of listed.stdout.toString('latin1').split('\n')) {
    const [oid, ...parents] = line.split(' ');
    if (oid !== undefined && oid !== '') order.push({ oid, parents });
  }
  return graphOf(order);
}

function graphOf(order: readonly { oid: string; parents: string[] }[]): CommitGraph {
  const positions = new Map(order.map(({ oid }, index) => [oid, index]));
  const descendants = new Map<string, Uint8Array>();
  const descendantsOf = (ancestor: string): Uint8Array => {
    const known = descendants.get(ancestor);
    if (known !== undefined) return known;
    const marks = new Uint8Array(order.length);
    order.forEach(({ oid, parents }, index) => {
      const reached = parents.some((parent) => marks[positions.get(parent) ?? -1] === 1);
      if (oid === ancestor || reached) marks[index] = 1;
    });
    descendants.set(ancestor, marks);
    return marks;
  };
  const isAncestor = (ancestor: string, descendant: string): boolean =>
    descendantsOf(ancestor)[positions.get(descendant) ?? -1] === 1;
  const parents = (oid: string): readonly string[] => order[positions.get(oid) ?? -1]?.parents ?? [];
  return {
    isAncestor,
    parents,
    position: (oid) => positions.get(oid) ?? null,
    walk: (from, to) => {
      const steps: HistoryStep[] = [];
      let at = to;
      while (at !== from) {
        const parent = parents(at).find((candidate) => isAncestor(from, candidate));
        if (parent === undefined) return null;
        steps.push({ parent, commit: at });
        at = parent;
      }
      return steps.reverse();
    },
  };
}
