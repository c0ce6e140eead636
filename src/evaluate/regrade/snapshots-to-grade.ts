import type { StageEnded } from '#documents/run-events.js';

/** A snapshot that a gate is held on. */
export interface GateSubject {
  place: number | 'chain';
  tree: string;
}

/**
 * The snapshots of a run whose gates are due: each stage that ended, after its last round, and the chain where the last
 * stage did.
 */
export function snapshotsToGrade(ended: readonly StageEnded[], stages: number, hasChainGate: boolean): GateSubject[] {
  const subjects: GateSubject[] = [];
  for (let stage = 0; stage < stages; stage += 1) {
    const last = ended.filter((one) => one.stage === stage).at(-1);
    if (last !== undefined) subjects.push({ place: stage, tree: last.tree });
  }
  const final = ended.filter((one) => one.stage === stages - 1).at(-1);
  if (hasChainGate && final !== undefined) subjects.push({ place: 'chain', tree: final.tree });
  return subjects;
}
