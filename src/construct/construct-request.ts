import type { Criteria } from '#documents/criteria.js';
import type { Provenance } from '#documents/provenance.js';
import type { Task } from '#documents/task.js';
import type { RunnerName } from '#documents/test-identity.js';
import type { Repository, TreeFiles } from '#git/index.js';
import type { SandboxKind } from '#sandbox/index.js';
import type { PackagedSuite } from './packaging/index.js';
import type { ReferenceStates } from './references/index.js';

/** What `build` is asked for. */
export interface ConstructRequest {
  /** Folder of the repository; it is never written to. */
  repository: string;
  /** Revisions of each stage's commits, oldest stage first. */
  stages: readonly (readonly string[])[];
  /** The mined chain that the stages are of; nobody's where a person named the commits. */
  chain?: NonNullable<Provenance['chain']>;
  /** By default the last stage's last commit. */
  checkpoint?: string;
  /** Folder that the task's own folder is made in. */
  outFolder: string;
  /** By default made of the repository's name and the title. */
  id?: string;
  title?: string;
  domain?: string;
  /** `owner/name` or whatever names the repository to readers. */
  repositoryName?: string;
  license?: string;
  stars?: number;
  /** By default told from manifests and test files. */
  runner?: RunnerName;
  sandbox: SandboxKind;
  /** Root of the environment store. */
  storeRoot: string;
  repeats: number;
  /** Suite runs at a time. */
  parallel: number;
  seed: string;
  stageMs: number;
  timeoutMs: number;
  /** The whole suite is used where one run of it takes at most this long, else the changed files and a sample; 10 minutes. */
  wholeSuiteMs?: number;
  perTestTimeoutMs: number;
  /** Ends what runs, removes what was made and throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Version of this program, for the record. */
  toolVersion: string;
}

/** What spec writers see of a task under construction. */
export interface SpecMaterial {
  repository: Repository;
  reference: ReferenceStates;
  /** Suite of each stage. */
  suites: readonly PackagedSuite[];
  isSuiteFile(path: string): boolean;
  initial: TreeFiles;
}

/** A stage's spec with the criteria that its F2P tests are filed under. */
export interface StageSpec {
  title: string;
  requirement: string;
  contract: string;
  criteria: Criteria['criteria'];
}

/** Writes every stage's spec: by rules, by a model, or a person. */
export interface SpecWriter {
  by: Task['construction'][number]['by'];
  model: string | null;
  write(material: SpecMaterial): Promise<StageSpec[]>;
}

export interface ConstructReport {
  /** The task's folder. */
  folder: string;
  task: Task;
  /** How many file patches each removal layer was asked about and solved. */
  layers: ReferenceStates['layers'];
  notes: string[];
  /** Seconds each step took. */
  seconds: Record<string, number>;
}
