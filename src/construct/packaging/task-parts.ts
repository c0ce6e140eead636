import type { Criteria } from '#documents/criteria.js';
import type { Environment } from '#documents/environment.js';
import type { Provenance, Validation } from '#documents/provenance.js';
import type { SuiteContent } from '#documents/suite.js';
import type { Task } from '#documents/task.js';
import type { Repository, TreeFiles } from '#git/index.js';

/** A suite with the bytes that belong to it; its digest is made when the package is sealed. */
export interface PackagedSuite {
  suite: SuiteContent;
  /** Files of `tests/` and of `manifests/`. */
  tests: TreeFiles;
  manifests: TreeFiles;
}

export interface PackagedStage {
  title: string;
  requirement: string;
  contract: string;
  criteria: Criteria['criteria'];
  /** Reference change as a git patch. */
  patch: Buffer;
  suite: PackagedSuite;
}

/** Everything that a task package is made of. */
export interface TaskParts {
  id: string;
  title: string;
  language: Task['language'];
  domain: string | null;
  source: Pick<Task['source'], 'repo' | 'license' | 'stars' | 'checkpoint'>;
  runner: Task['runner'];
  stageMs: number;
  /** Has the trees and blobs of all states. */
  repository: Repository;
  /** S_0..S_n. */
  states: readonly { tree: string; files: TreeFiles }[];
  stages: readonly PackagedStage[];
  chain: PackagedSuite;
  environment: Environment;
  /** Manifest and lock files that the environment was made from, by path key. */
  environmentInputs: ReadonlyMap<string, Buffer>;
  validation: Validation;
  provenance: Provenance;
  construction: Task['construction'];
}
