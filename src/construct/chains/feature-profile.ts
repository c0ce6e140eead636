import { KIND_COUNT } from './graph/aspects.js';
import type { Trace, TraceIndex } from './graph/trace-index.js';

/**
 * What a set of groups has in common, trace by trace: the feature as its own groups describe it. A trace weighs the more,
 * the more of the groups have it and the fewer others do.
 */
export class FeatureProfile {
  private readonly sums: Float64Array;
  private readonly counts: Uint16Array;
  private readonly members = new Set<number>();

  constructor(private readonly index: TraceIndex) {
    this.sums = new Float64Array(index.traces.length);
    this.counts = new Uint16Array(index.traces.length);
  }

  /** Makes these the members, whoever was before. */
  set(members: Iterable<number>): void {
    for (const member of this.members) for (const { trace } of this.index.touches[member] ?? []) this.clear(trace);
    this.members.clear();
    for (const member of members) this.add(member);
  }

  private clear({ id }: Trace): void {
    this.sums[id] = 0;
    this.counts[id] = 0;
  }

  add(member: number): void {
    this.members.add(member);
    for (const { trace, strength } of this.index.touches[member] ?? []) {
      this.sums[trace.id] = (this.sums[trace.id] ?? 0) + strength;
      this.counts[trace.id] = (this.counts[trace.id] ?? 0) + 1;
    }
  }

  /** 0 to 1: how much a group is about what the members, but for itself, have in common. */
  affinity(group: number): number {
    const own = this.members.has(group) ? 1 : 0;
    const size = this.members.size - own;
    const best = new Float64Array(KIND_COUNT);
    for (const { trace, strength, byKind } of this.index.touches[group] ?? []) {
      const count = (this.counts[trace.id] ?? 0) - own;
      if (count <= 0) continue;
      const sum = (this.sums[trace.id] ?? 0) - own * strength;
      const weight = trace.rarity * (sum / count) * Math.sqrt(count / size);
      for (const found of byKind) {
        const share = weight * found.strength;
        if (share > (best[found.kind] ?? 0)) best[found.kind] = share;
      }
    }
    return 1 - best.reduce((miss, share) => miss * (1 - share), 1);
  }

  /** Traces that most tell the feature, with their weights, heaviest first. */
  telling(): { trace: Trace; weight: number }[] {
    const found = new Map<Trace, number>();
    for (const member of this.members)
      for (const { trace } of this.index.touches[member] ?? [])
        found.set(
          trace,
          trace.rarity * (this.sums[trace.id] ?? 0) * ((this.counts[trace.id] ?? 0) / this.members.size),
        );
    return [...found]
      .map(([trace, weight]) => ({ trace, weight }))
      .sort((a, b) => b.weight - a.weight || a.trace.id - b.trace.id);
  }
}
