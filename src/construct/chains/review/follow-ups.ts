import type { PastGroup } from '../past.js';
import type { Say } from './say.js';

/** A fix so soon after a stage belongs to it. */
const FOLLOW_UP_DAYS = 21;
/** A follow-up is smaller than what it follows. */
const SMALLER = 0.5;
const DAY_MS = 86_400_000;

/**
 * Cuts groups, in the order of history, into stages: a fix of the same feature soon after a stage moves into it, at
 * most one to a stage; everything else is a stage of its own.
 */
export function followUps(groups: readonly PastGroup[], say: Say): PastGroup[][] {
  const stages: PastGroup[][] = [];
  for (const group of groups) {
    const last = stages.at(-1);
    const first = last?.[0];
    if (last === undefined || first === undefined || last.length > 1 || !isFollowUp(first, group)) {
      stages.push([group]);
      continue;
    }
    last.push(group);
    say(group, 'move', `a fix that follows "${first.title}" within ${FOLLOW_UP_DAYS} days: part of that stage`);
  }
  return stages;
}

function isFollowUp(stage: PastGroup, group: PastGroup): boolean {
  if (group.intent !== 'fix' && group.intent !== 'refactor') return false;
  if (stage.at === null || group.at === null) return false;
  if (Date.parse(group.at) - Date.parse(stage.at) > FOLLOW_UP_DAYS * DAY_MS) return false;
  return (group.sourceLinesAdded ?? 0) <= (stage.sourceLinesAdded ?? 0) * SMALLER;
}
