/**
 * Visits every commit after its first parent, so that the state at the parent can be changed into the state at the
 * commit. Of several children the one with the longest future comes last; what was done for the others is taken back.
 *
 * @param firstParents first parent of each commit, -1 for roots; parents have smaller indices
 * @param enter makes the state of the commit from that of its first parent, and returns what takes it back
 */
export function walkFirstParents<U>(
  firstParents: ArrayLike<number>,
  enter: (commit: number) => U,
  leave: (undo: U) => void,
): void {
  const children = childrenOf(firstParents);
  /** Commits to visit, and undo steps due when everything above them is done. */
  const stack: ({ visit: number; keep: boolean } | { undo: U })[] = [];
  const push = (list: readonly number[], keepLast: boolean): void => {
    list.forEach((visit, index) => {
      stack.push({ visit, keep: index === 0 && keepLast });
    });
  };
  push(children.get(-1) ?? [], true);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('undo' in next) {
      leave(next.undo);
      continue;
    }
    const undo = enter(next.visit);
    if (!next.keep) stack.push({ undo });
    push(children.get(next.visit) ?? [], next.keep);
  }
}

/** Children of each commit, the one with most descendants first: it is then visited last. */
function childrenOf(firstParents: ArrayLike<number>): Map<number, number[]> {
  const sizes = new Int32Array(firstParents.length).fill(1);
  const children = new Map<number, number[]>();
  for (let commit = firstParents.length - 1; commit >= 0; commit -= 1) {
    const parent = firstParents[commit] ?? -1;
    if (parent >= 0) sizes[parent] = (sizes[parent] ?? 0) + (sizes[commit] ?? 0);
  }
  for (let commit = 0; commit < firstParents.length; commit += 1) {
    const parent = firstParents[commit] ?? -1;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [commit]);
    else list.push(commit);
  }
  for (const list of children.values()) list.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  return children;
}
