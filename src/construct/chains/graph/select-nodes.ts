import type { Rejection } from '#documents/chains.js';
import type { PastGroup } from '../past.js';
import { joinTested } from './join-tested.js';

/** A change that mostly reworks what is there, in this many source files, sweeps over the code and extends no feature. */
const SWEEP_FILES = 10;

/**
 * The groups that can carry evidence, in the order in which they landed, and for each other group why it
 * cannot. Landing on the main line is what orders branches that were written side by side.
 */
export function selectNodes(groups: readonly PastGroup[]): { nodes: PastGroup[]; rejections: Rejection[] } {
  const nodes: PastGroup[] = [];
  const rejections: Rejection[] = [];
  const inOrder = [...groups].sort(byLanding);
  const standing = inOrder.filter((group) => reasonAgainstStanding(group) === null);
  const whole = new Set([...inOrder.filter((group) => reasonAgainstStanding(group) !== null), ...joinTested(standing)]);
  for (const group of [...whole].sort(byLanding)) {
    const reason = reasonAgainst(group);
    if (reason === null) nodes.push(group);
    else rejections.push(rejectionOf(group, reason));
  }
  return { nodes, rejections };
}

/** Groups of one history in the order in which they landed on the main line. */
export function byLanding(a: PastGroup, b: PastGroup): number {
  return (a.landedBy ?? -1) - (b.landedBy ?? -1) || a.index - b.index;
}

function reasonAgainst(group: PastGroup): string | null {
  return reasonAgainstStanding(group) ?? reasonAgainstSaying(group);
}

function reasonAgainstStanding(group: PastGroup): string | null {
  if (group.landedBy === null) return 'it never got to the main line';
  if (group.revertedBy !== null) return 'it was reverted later';
  if (group.duplicateOf !== null) return 'an earlier change has the same effect';
  if (group.byBot) return 'it was made by an automaton';
  return null;
}

function reasonAgainstSaying(group: PastGroup): string | null {
  if (group.intent === 'release' || group.intent === 'format')
    return `its intent is ${group.intent}: nothing a user would see`;
  const source = group.files.filter(({ role }) => role === 'source');
  if (source.length === 0) return 'it changes no source';
  if (group.kind === 'merge' && group.commits.length === 1)
    return 'it is a merge alone: what it brings are changes of their own';
  if (source.length >= SWEEP_FILES && mostlyReworks(group))
    return `it reworks code in ${source.length} source files, so what it shares with others says nothing`;
  return null;
}

function mostlyReworks({ definitions }: PastGroup): boolean {
  const source = definitions.filter(({ inTest }) => !inTest);
  return source.length === 0 || source.filter(({ change }) => change === 'added').length < source.length / 2;
}

function rejectionOf(group: PastGroup, reason: string): Rejection {
  return {
    candidate: group.id,
    kind: 'group',
    title: group.title,
    step: 'graph',
    reason,
    stages: [group.commits],
    instead: null,
  };
}
