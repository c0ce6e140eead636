import type { FeatureProfile } from '../feature-profile.js';
import { ASPECT } from '../graph/aspect.js';
import type { Trace, TraceIndex } from '../graph/trace-index.js';

/** What can be measured of a set of stages, each 0 to 1 but `agreement`. */
export interface ChainTraits {
  /** By stage: how much it is about what the others have in common. */
  affinities: number[];
  /** By stage: how likely it is an extension of its own. */
  worths: number[];
  /** How many traces, each by its weight, most of the stages share and few other stages have. */
  agreement: number;
  /** The largest share of stages whose titles have one name in common. */
  titled: number;
  /** Mean over stages: a shared name stands in the title and in the code. */
  named: number;
  /** Mean over stages: tests are about what is shared. */
  tested: number;
  /** Mean over stages: shared definitions are made or changed. */
  worked: number;
  /** The first stage, by how likely it is one, makes what the others work on. */
  introduced: number;
}

/** A stage has a trace where at least this much of it is about that. */
const HAS = 0.3;
/** Below this a stage mentions the trace in passing. */
const MENTIONS = 0.2;
/** A likely stage; others do not count as competitors for a trace. */
const LIKELY = 0.5;
/** Agreement counts traces of most stages that are mostly theirs. */
const MOST = 0.66;
const HALF = 0.5;

interface Shared {
  trace: Trace;
  count: number;
  sum: number;
  has: number;
  /** Aspects by stage; 0 where the stage does not have it. */
  aspects: number[];
}

/** Measures sets of stages; holds what is the same for all of them. */
export class TraitMeter {
  /** By trace: likely stages anywhere that have it; -1 until somebody asks. */
  private readonly rivals: Int16Array;

  constructor(
    private readonly index: TraceIndex,
    private readonly worth: readonly number[],
    private readonly profile: FeatureProfile,
  ) {
    this.rivals = new Int16Array(index.traces.length).fill(-1);
  }

  measure(stages: readonly number[]): ChainTraits {
    this.profile.set(stages);
    const shared = this.sharedBy(stages);
    let agreement = 0;
    let titled = 0;
    let introduced = 0;
    const named = stages.map(() => 0);
    const tested = stages.map(() => 0);
    const worked = stages.map(() => 0);
    for (const { trace, count, sum, has, aspects } of shared) {
      const coverage = count / stages.length;
      const precision = has / Math.max(1, this.rivalsOf(trace));
      if (coverage >= MOST && precision >= HALF && has >= 2)
        agreement += coverage * precision * trace.rarity * (sum / count);
      if (coverage < HALF) continue;
      const weight = Math.sqrt(trace.rarity * coverage);
      const isName = trace.key.startsWith('n:');
      const isFile = trace.key.startsWith('f:');
      if (isName)
        titled = Math.max(titled, aspects.filter((held) => (held & ASPECT.titled) !== 0).length / stages.length);
      aspects.forEach((held, at) => {
        if (isName && (held & ASPECT.titled) !== 0 && (held & IN_CODE) !== 0) raise(named, at, weight);
        if ((held & ASPECT.tested) !== 0) raise(tested, at, weight);
        if (!isFile && (held & WORKED) !== 0) raise(worked, at, weight);
      });
      if (((aspects[0] ?? 0) & ASPECT.added) !== 0) introduced = Math.max(introduced, weight);
    }
    return {
      affinities: stages.map((stage) => this.profile.affinity(stage)),
      worths: stages.map((stage) => this.worth[stage] ?? 0),
      agreement,
      titled,
      named: mean(named),
      tested: mean(tested),
      worked: mean(worked),
      introduced: introduced * (this.worth[stages[0] ?? -1] ?? 0),
    };
  }

  private sharedBy(stages: readonly number[]): Shared[] {
    const found = new Map<number, Shared>();
    stages.forEach((stage, at) => {
      for (const { trace, aspects, strength } of this.index.touches[stage] ?? []) {
        if (strength < MENTIONS) continue;
        let held = found.get(trace.id);
        if (held === undefined) {
          held = { trace, count: 0, sum: 0, has: 0, aspects: stages.map(() => 0) };
          found.set(trace.id, held);
        }
        held.count += 1;
        held.sum += strength;
        if (strength >= HAS) held.has += 1;
        held.aspects[at] = aspects;
      }
    });
    return [...found.values()].filter(({ count }) => count >= 2).sort((a, b) => a.trace.id - b.trace.id);
  }

  private rivalsOf(trace: Trace): number {
    const known = this.rivals[trace.id] ?? -1;
    if (known >= 0) return known;
    const count = trace.groups.filter(
      (group, at) => (trace.strengths[at] ?? 0) >= HAS && (this.worth[group] ?? 0) >= LIKELY,
    ).length;
    this.rivals[trace.id] = count;
    return count;
  }
}

const IN_CODE = ASPECT.added | ASPECT.changed | ASPECT.written | ASPECT.tested;
const WORKED = ASPECT.added | ASPECT.changed;

function raise(values: number[], at: number, value: number): void {
  values[at] = Math.max(values[at] ?? 0, value);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
