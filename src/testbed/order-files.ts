import { seededRandom, shuffled } from '#kernel/random.js';
import type { TestOrder } from './contract.js';

/** Files (or anything else) in the order that a run asks for. */
export function inOrder<T>(items: readonly T[], order: TestOrder): T[] {
  if (order.kind === 'reversed') return [...items].reverse();
  if (order.kind === 'shuffled') return shuffled(items, seededRandom(`${order.seed}/files`));
  return [...items];
}
