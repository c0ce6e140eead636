/**
 * Parents before children, the commits of a branch next to each other, independent of dates. Indices are into
 * `parents`, whose entries are indices of the parents (-1: not there).
 * @returns the order: position -> index
 */
export function topologicalOrder(parents: readonly (readonly number[])[]): Int32Array {
  const count = parents.length;
  const waitingFor = new Int32Array(count);
  for (const list of parents)
    for (const parent of list) if (parent >= 0) waitingFor[parent] = (waitingFor[parent] ?? 0) + 1;
  const ready: number[] = [];
  for (let index = count - 1; index >= 0; index -= 1) if (waitingFor[index] === 0) ready.push(index);
  const order = new Int32Array(count);
  // Children come off first and fill the order from its end; the last parent's line is followed before the first's.
  let place = count;
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    place -= 1;
    order[place] = next;
    for (const parent of parents[next] ?? []) {
      if (parent < 0) continue;
      const left = (waitingFor[parent] ?? 0) - 1;
      waitingFor[parent] = left;
      if (left === 0) ready.push(parent);
    }
  }
  return order;
}
