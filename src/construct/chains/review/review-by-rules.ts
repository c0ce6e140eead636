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
/**
 * A group outside is an extension that the chain lacks where its affinity times the root of its worth reaches this: what
 * is surely about the feature need not say so well that it extends it. As many again may come in as the chain has.
 */
const ADD_FROM = 0.61;
const MIN_ADDED_WORTH = 0.3;
/** A chain of so many sure extensions is a long feature: its fixes are no stages. */
const LONG = 4;
const SURE_WORTH = 0.75;
/** A group without tests that is so surely about the feature belongs to the stage that follows it. */
const ADD_UNTESTED_FROM = 0.6;
/** Cited are at most so many edges for each decision. */
const CITED = 3;

/** Chain review by rules: evidence decides, and what it was is written down. */
export const reviewByRules: ReviewerRole = {
  reviewer: { by: 'rules', model: null, version: '2' },
  review: async (question) => decide(question),
};

function decide(question: ReviewQuestion): ReviewDecision {
  const decisions = new Map<string, GroupDecision>();
  const cites = citesIn(question);
  const say: Say = (group, action, why) =>
    void decisions.set(group.id, { action, group: group.id, why, cites: cites(group) });
  const related = withoutFixes(keepRelated(question, say), question, say);
  const missing = missingOnes(question, related.length, say);
  const dependent = keepDependent([...related, ...missing].sort(byLanding), question, say);
  const stages = withUntested(followUps(dependent, say), question, say);
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

/** Of a long feature the sure extensions alone; other chains as they are. */
function withoutFixes(groups: PastGroup[], { worth }: ReviewQuestion, say: Say): PastGroup[] {
  const isSure = ({ id }: PastGroup): boolean => (worth.get(id) ?? 0) >= SURE_WORTH;
  const sure = groups.filter(isSure);
  if (sure.length < LONG) return groups;
  for (const group of groups)
    if (!isSure(group)) say(group, 'drop', `about the feature, which has ${sure.length} surer extensions than this`);
  return sure;
}

/** Neighbours that are as much about the feature as its own stages are. */
function missingOnes(
  { neighbours, affinity, worth, maxStages }: ReviewQuestion,
  stages: number,
  say: Say,
): PastGroup[] {
  const about = ({ id }: PastGroup): number => affinity.get(id) ?? 0;
  const missing = neighbours
    .map((group) => ({ group, likely: worth.get(group.id) ?? 0 }))
    .filter(({ likely }) => likely >= MIN_ADDED_WORTH)
    .map(({ group, likely }) => ({ group, fit: about(group) * Math.sqrt(likely) }))
    .filter(({ fit }) => fit >= ADD_FROM)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, Math.max(0, Math.min(maxStages - stages, stages)))
    .map(({ group }) => group);
  for (const group of missing) say(group, 'add', `${percent(about(group))} about the feature: an extension it lacked`);
  return missing;
}

/** Stages with the groups before them that extend the feature as well, but whose tests came only with the stage. */
function withUntested(stages: PastGroup[][], { neighbours, affinity, worth }: ReviewQuestion, say: Say): PastGroup[][] {
  const whole = stages.map((stage) => [...stage]);
  for (const group of neighbours) {
    if (worth.get(group.id) !== 0 || (affinity.get(group.id) ?? 0) < ADD_UNTESTED_FROM) continue;
    const next = whole.find(([first]) => first !== undefined && byLanding(group, first) < 0);
    if (next === undefined || next.length > 1) continue;
    next.unshift(group);
    say(group, 'add', 'it extends the feature without tests of its own: part of the stage that follows');
  }
  return whole;
}

/** Stages, in the order of history, each of which builds on one before it and has evidence for that. */
function keepDependent(groups: readonly PastGroup[], { evidence }: ReviewQuestion, say: Say): PastGroup[] {
  const ties = new Set(evidence.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
  const kept: PastGroup[] = [];
  groups.forEach((group) => {
    if (kept.length === 0) kept.push(group);
    else if (!kept.some(({ id }) => ties.has(`${id} ${group.id}`)))
      say(group, 'drop', 'there is no evidence between it and the stages before it');
    else if (dependsOn(group, kept) === null)
      say(group, 'drop', 'it neither changes files of the stages before it nor calls what they define');
    else kept.push(group);
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
