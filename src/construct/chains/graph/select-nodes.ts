import type { Rejection } from '#documents/chains.js';
import type { PastGroup } from '../past.js';

/** A group of more files than this is a sweep over the whole code: it touches every feature and extends none. */
const SWEEP_FILES = 60;

/**
 * The groups that can carry evidence, in the order in which they landed, and for each other group that changes code why
 * it cannot. Landing on the main line is what orders branches that were written side by side.
 */
export function selectNodes(groups: readonly PastGroup[]): { nodes: PastGroup[]; rejections: Rejection[] } {
  const nodes: PastGroup[] = [];
  const rejections: Rejection[] = [];
  const inOrder = [...groups].sort((a, b) => (a.landedBy ?? -1) - (b.landedBy ?? -1) || a.index - b.index);
  for (const group of inOrder) {
    const reason = reasonAgainst(group);
    if (reason === null) nodes.push(group);
    else if (group.files.some(({ role }) => role === 'source')) rejections.push(rejectionOf(group, reason));
  }
  return { nodes, rejections };
}

function reasonAgainst(group: PastGroup): string | null {
  if (group.landedBy === null) return 'it never got to the main line';
  if (group.revertedBy !== null) return 'it was reverted later';
  if (group.duplicateOf !== null) return 'an earlier change has the same effect';
  if (group.byBot) return 'it was made by an automaton';
  if (group.intent === 'release' || group.intent === 'format')
    return `its intent is ${group.intent}: nothing a user would see`;
  const source = group.files.filter(({ role }) => role === 'source');
  if (source.length === 0) return 'it changes no source';
  if (source.length > SWEEP_FILES)
    return `it sweeps over ${source.length} source files, so what it shares with others says nothing`;
  return null;
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
