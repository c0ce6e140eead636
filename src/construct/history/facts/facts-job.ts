import type { LanguageName } from '#languages/index.js';
import type { BlobFacts } from '../pieces/blob-facts.js';
import type { PairDelta } from '../pieces/pair-delta.js';

/** A version of a file under a language: the same bytes read as another language are another version. */
export interface FileVersion {
  oid: string;
  language: LanguageName;
}

export interface PairRequest {
  key: string;
  old: FileVersion | null;
  new: FileVersion | null;
}

/** Versions that follow each other, so that what they share is parsed once. */
export interface FactsJob {
  pairs: PairRequest[];
  /** Versions not to be read: an earlier attempt never came back from them. */
  skip: string[];
}

export interface FactsAnswer {
  blobs: [version: string, facts: BlobFacts][];
  pairs: [key: string, delta: PairDelta][];
}

export function versionKey(version: FileVersion): string {
  return `${version.oid}:${version.language}`;
}

export function pairKey(old: FileVersion | null, now: FileVersion | null): string {
  return `${old === null ? '' : versionKey(old)}>${now === null ? '' : versionKey(now)}`;
}
