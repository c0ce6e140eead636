import type { GroupDecision, ReviewDecision, ReviewerRole, ReviewQuestion } from '../chains.js';
import { byLanding } from '../graph/select-nodes.js';
import type { PastGroup } from '../past.js';
import { followUps } from './follow-ups.js';

/** Below this a stage is not about the feature. */
const DROP_BELOW = 0.3;
/** A change less likely to extend anything is no stage of its own, however much it is about the feature. */
const MIN_WORTH = 0.5;
/** From this on a group outside is an extension that the chain lacks. */
const ADD_FROM = 0.85;

/** Chain review by rules: evidence decides, and what it was is written down. */
export const reviewByRules: ReviewerRole = {
  reviewer: { by: 'rules', model: null, version: '1' },
  review: async (question) => decide(question),
};

function decide(question: ReviewQuestion): ReviewDecision {
  const decisions = new Map<string, GroupDecision>();
  const cites = citesIn(question);
  const affinity = (group: PastGroup): number => question.affinity.get(group.id) ?? 0;
  const say = (group: PastGroup, action: GroupDecision['action'], why: string): void =>
    void decisions.set(group.id, { action, group: group.id, why, cites: cites(group) });
  const kept: PastGroup[] = [];
  for (const group of question.stages.flat()) {
    if (affinity(group) < DROP_BELOW)
      say(group, 'drop', `too little of it is about the feature (${percent(affinity(group))})`);
    else if ((question.worth.get(group.id) ?? 0) < MIN_WORTH)
      say(group, 'drop', `about the feature, but it extends nothing that a user would see (intent ${group.intent})`);
    else kept.push(group);
  }
  for (const group of kept) say(group, 'keep', `${percent(affinity(group))} about ${naming(question)}`);
  const room = question.maxStages - kept.length;
  const missing = question.neighbours
    .filter((group) => affinity(group) >= ADD_FROM && (question.worth.get(group.id) ?? 0) >= MIN_WORTH)
    .slice(0, Math.max(0, room));
  for (const group of missing)
    say(group, 'add', `extends the same feature: ${percent(affinity(group))} about ${naming(question)}`);
  const order = new Map([...question.stages.flat(), ...question.neighbours].map((group) => [group.id, group]));
  const inOrder = [...kept, ...missing].sort(byLanding);
  const stages = followUps(inOrder, question, say);
  if (stages.length < question.minStages)
    return {
      stages: [],
      decisions: [...decisions.values()],
      feature: null,
      summary: 'fewer than two stages are left',
      costUsd: null,
    };
  return {
    stages: stages.map((stage) => stage.map(({ id }) => id)),
    decisions: [...decisions.values()].filter(({ group }) => order.has(group)),
    feature: null,
    summary: summaryOf(kept, missing, question),
    costUsd: null,
  };
}

function naming({ symbols, feature }: ReviewQuestion): string {
  return symbols.length === 0 ? feature : symbols.slice(0, 3).join(', ');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Cited are at most so many edges for each decision. */
const CITED = 3;

/** The strongest evidence between a group and the chain's stages. */
function citesIn({ evidence, stages }: ReviewQuestion): (group: PastGroup) => string[] {
  const inChain = new Set(stages.flat().map(({ id }) => id));
  const strongest = [...evidence].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
  return ({ id }) =>
    strongest
      .filter(({ from, to }) => (from === id && inChain.has(to)) || (to === id && inChain.has(from)))
      .slice(0, CITED)
      .map((edge) => edge.id);
}

function summaryOf(kept: readonly PastGroup[], added: readonly PastGroup[], { stages }: ReviewQuestion): string {
  const dropped = stages.flat().length - kept.length;
  return `kept ${kept.length}, added ${added.length}, dropped ${dropped}`;
}
