import type { PastGroup } from '../past.js';
import { ASPECT } from './aspect.js';

/** A node and how it stands to the lines that another wrote. */
export interface LineTouch {
  node: number;
  aspects: number;
  strength: number;
}

/** Who wrote the lines is about them, and so is, the more of them it rewrites, who comes later. */
const WROTE = 0.5;
const REWROTE = 0.48;
/** At so many lines the strength is two thirds of what it can be. */
const LINES = 2.7;

/**
 * The lines of each node as a trace, `l:` with the node's position: left by the node that wrote them and by those that
 * rewrote some. What a later change rewrites says more surely than a shared file that it builds on the earlier one.
 */
export function lineTraces(nodes: readonly PastGroup[]): Map<string, LineTouch[]> {
  const nodeOf = new Map(
    nodes.flatMap((group, node) => (group.parts ?? [group]).map(({ index }) => [index, node] as const)),
  );
  const rewritten = new Map<number, Map<number, number>>();
  nodes.forEach(({ reworked }, node) => {
    for (const [group, lines] of reworked) {
      const origin = nodeOf.get(group);
      if (origin === undefined || origin === node) continue;
      let by = rewritten.get(origin);
      if (by === undefined) {
        by = new Map();
        rewritten.set(origin, by);
      }
      by.set(node, (by.get(node) ?? 0) + lines);
    }
  });
  return new Map([...rewritten].map(([origin, by]) => [`l:${origin}`, touchesOf(origin, by)]));
}

function touchesOf(origin: number, by: ReadonlyMap<number, number>): LineTouch[] {
  const touches = [...by].map(([node, lines]) => ({
    node,
    aspects: ASPECT.changed,
    strength: REWROTE * (1 - Math.exp(-lines / LINES)),
  }));
  return [...touches, { node: origin, aspects: ASPECT.added, strength: WROTE }].sort((a, b) => a.node - b.node);
}
