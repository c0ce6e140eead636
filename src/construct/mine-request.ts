import type { Chains, Rejection } from '#documents/chains.js';
import type { ModelSettings } from '#roles/index.js';
import type { ChainOptions, ReviewerRole } from './chains/index.js';
import type { AdmissionCriterion, HistoryOptions } from './history/index.js';

/** What `mine` is asked for. */
export interface MineRequest
  extends Pick<HistoryOptions, 'sinceMs' | 'untilMs' | 'maxCommits' | 'workers' | 'allowIncomplete'>,
    Pick<ChainOptions, 'searches' | 'rank' | 'seed' | 'limit' | 'allowUntested' | 'reviewsAtATime'> {
  /** Folder of the repository; it is never written to. */
  repository: string;
  /** Where the documents go. */
  outFolder: string;
  /** Where caches live. */
  cacheFolder: string;
  stars?: number;
  /** Only files below these paths, as text, relative to the repository's top. */
  paths?: string[];
  /** Go on although a criterion of admission is not met. */
  force?: boolean;
  graph?: 'graphml' | 'json';
  /** The model that stands in for rules where it is told to. */
  model?: ModelSettings;
  /** What the model does; nothing without a model. */
  byModel?: ReadonlySet<'review' | 'intents'>;
  /** Version of this program, for the record. */
  toolVersion: string;
}

/** A reviewer that may fail to answer; then it says so in lines of rejections.jsonl. */
export interface MiningReviewer extends ReviewerRole {
  /** Reviews that came to nothing so far. */
  failures(): Rejection[];
}

export interface MineReport {
  /** The folder of the documents. */
  folder: string;
  files: string[];
  admission: AdmissionCriterion[];
  document: Chains;
  rejections: Rejection[];
  /** Seconds each step took. */
  seconds: Record<string, number>;
}
