import type { Chain, ChainDecision, ChainReviewer, EvidenceType, Rejection, SearchName } from '#documents/chains.js';
import type { PastGroup } from './past.js';

/** Evidence of one type that a later group builds on an earlier one. */
export interface EvidenceEdge {
  /** `e<from>-<to>-<type>`: citable by reviewers. */
  id: string;
  /** Positions in `EvidenceGraph.nodes`; `from` came first. */
  from: number;
  to: number;
  type: EvidenceType;
  /** 0 to 1: how surely this alone says that both are one feature. */
  weight: number;
  /** For people: what exactly is shared. */
  explanation: string;
}

/** The change groups that stand, and why each pair of them may be one feature. */
export interface EvidenceGraph {
  /** Groups that stand and change source, in the order in which they landed. */
  nodes: readonly PastGroup[];
  edges: readonly EvidenceEdge[];
}

/** What a search proposes. */
export interface ChainCandidate {
  /** Positions in `EvidenceGraph.nodes`, ascending. */
  stages: number[];
  foundBy: SearchName;
  /** How well the search itself thinks of it, 0 to 1. */
  score: number;
}

/** A chain of the answer. `Chain` is the document's shape, ready to be written. */
export type RankedChain = Chain;

/** An evidence edge as reviewers see it: the ends are ids of groups. */
export interface QuestionEvidence extends Omit<EvidenceEdge, 'from' | 'to'> {
  from: string;
  to: string;
}

/** What a reviewer is asked: is this one feature, stage by stage? */
export interface ReviewQuestion {
  /** What the feature seems to be, from names and titles. */
  feature: string;
  /** Names that the stages share and few others touch, most telling first. */
  symbols: string[];
  /** Oldest first; each stage is made of whole groups. */
  stages: PastGroup[][];
  /** Evidence between any two groups of the stages, and between them and neighbours. */
  evidence: QuestionEvidence[];
  /**
   * Groups outside the chain with strong evidence to it: extensions it may lack. Strongest first; at the end those
   * without tests (worth 0), which can only be part of a stage that has some.
   */
  neighbours: PastGroup[];
  /** By id of each group above, 0 to 1: how much it is about what the surest of the stages have in common. */
  affinity: ReadonlyMap<string, number>;
  /** By id of each group above, 0 to 1: how likely it is, by itself, an observable extension with tests. */
  worth: ReadonlyMap<string, number>;
  minStages: number;
  maxStages: number;
}

export interface GroupDecision {
  action: ChainDecision['action'];
  /** Id of the group. */
  group: string;
  why: string;
  /** Ids of evidence edges of the question. */
  cites: string[];
}

export interface ReviewDecision {
  /** The chain as it should be: ids of groups, stage by stage, oldest first. Empty: this is not one feature. */
  stages: string[][];
  /** One for every group of the question that is in the chain before or after. */
  decisions: GroupDecision[];
  /** A better name of the feature; null keeps the question's. */
  feature: string | null;
  summary: string;
  /** Why nobody reviewed the chain, which then stays as it was found; absent where somebody did. */
  unreviewed?: string;
  /** Null where nobody counted. */
  costUsd: number | null;
}

/** The chain-review role: keeps what extends one user-visible feature, adds what is missing, drops the rest, says why. */
export interface ReviewerRole {
  readonly reviewer: ChainReviewer;
  review(question: ReviewQuestion): Promise<ReviewDecision>;
}

export interface ChainOptions {
  /** Searches to run; all four by default. */
  searches?: readonly SearchName[];
  /** Types of evidence to use; all by default. */
  evidence?: readonly EvidenceType[];
  /** `total` weighs relation, testability and removability; `relation` looks at relation alone. */
  rank?: 'total' | 'relation';
  seed?: string;
  /** At most so many chains; 30 by default. */
  limit?: number;
  /** Stages of a chain: 2 to 10 by default, and never outside of that. */
  minStages?: number;
  maxStages?: number;
  /** Also stages that change no test. */
  allowUntested?: boolean;
  /** Rules by default. */
  reviewer?: ReviewerRole;
  /** Reviews at a time, for reviewers that wait for somebody; 1 by default. */
  reviewsAtATime?: number;
}

export interface ChainFindings {
  /** Best first. */
  chains: RankedChain[];
  rejections: Rejection[];
  graph: EvidenceGraph;
  /** Different candidates that the searches proposed. */
  candidates: number;
}
