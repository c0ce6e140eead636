import type { GroupDecision, ReviewDecision, ReviewerRole, ReviewQuestion } from '../chains.js';
import { byLanding } from '../graph/select-nodes.js';
import type { PastGroup } from '../past.js';
import { dependsOn } from './depends-on.js';
import { followUps } from './follow-ups.js';
import type { Say } from './say.js';

/** Below this a stage is not about the feature. */
const DROP_BELOW = 0.3;
/** A change less likely to extend anything is no stage of its own, however much it is about the feature. */
const MIN_WORTH = 0.5;
/** From this on a group outside is an extension that the chain lacks. */
const ADD_FROM = 0.85;
/** Cited are at most so many edges for each decision. */
const CITED = 3;

/** Chain review by rules: evidence decides, and what it was is written down. */
export const reviewByRules: ReviewerRole = {
  reviewer: { by: 'rules', model: null, version: '1' },
  review: async (question) => decide(question),
};

function decide(question: ReviewQuestion): ReviewDecision {
  const decisions = new Map<string, GroupDecision>();
  const cites = citesIn(question);
  const say: Say = (group, action, why) =>
    void decisions.set(group.id, { action, group: group.id, why, cites: cites(group) });
  const related = keepRelated(question, say);
  const missing = missingOnes(question, question.maxStages - related.length, say);
  const dependent = keepDependent([...related, ...missing].sort(byLanding), say);
  const stages = followUps(dependent, say);
  const isChain = stages.length >= question.minStages;
  return {
    stages: isChain ? stages.map((stage) => stage.map(({ id }) => id)) : [],
    decisions: [...decisions.values()],
    feature: null,
    summary: isChain
      ? summaryOf(decisions)
      : `only ${stages.length} of its stages are about one feature and depend on each other`,
    costUsd: null,
  };
}

function keepRelated(question: ReviewQuestion, say: Say): PastGroup[] {
  return question.stages.flat().filter((group) => {
    const about = percent(question.affinity.get(group.id) ?? 0);
    if ((question.affinity.get(group.id) ?? 0) < DROP_BELOW)
      say(group, 'drop', `only ${about} of it is about the feature`);
    else if ((question.worth.get(group.id) ?? 0) < MIN_WORTH)
      say(group, 'drop', `about the feature, but it extends nothing that a user would see (intent ${group.intent})`);
    else {
      say(group, 'keep', `${about} about ${naming(question)}`);
      return true;
    }
    return false;
  });
}

/** Neighbours that are as much about the feature as its own stages are. */
function missingOnes(question: ReviewQuestion, room: number, say: Say): PastGroup[] {
  const missing = question.neighbours
    .filter(({ id }) => (question.affinity.get(id) ?? 0) >= ADD_FROM && (question.worth.get(id) ?? 0) >= MIN_WORTH)
    .slice(0, Math.max(0, room));
  for (const group of missing)
    say(
      group,
      'add',
      `${percent(question.affinity.get(group.id) ?? 0)} about ${naming(question)}: an extension it lacked`,
    );
  return missing;
}

/** Stages, in the order of history, each of which depends on one before it. */
function keepDependent(groups: readonly PastGroup[], say: Say): PastGroup[] {
  const kept: PastGroup[] = [];
  groups.forEach((group) => {
    if (kept.length === 0 || dependsOn(group, kept) !== null) kept.push(group);
    else say(group, 'drop', 'it neither changes files of the stages before it nor calls what they define');
  });
  return kept;
}

function naming({ symbols, feature }: ReviewQuestion): string {
  return symbols.length === 0 ? feature : symbols.slice(0, 3).join(', ');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

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

function summaryOf(decisions: ReadonlyMap<string, GroupDecision>): string {
  const count = (action: GroupDecision['action']): number =>
    [...decisions.values()].filter((decision) => decision.action === action).length;
  return `kept ${count('keep')}, added ${count('add')}, moved ${count('move')}, dropped ${count('drop')}`;
}
