import type { RunnerName, TestKey, TestStatus } from '#documents/test-identity.js';
import type { Sandbox } from '#sandbox/index.js';

/**
 * A runner runs whole test files of a workspace in a sandbox and tells, line by line from our own reporter, what
 * happened to every test. Members: node-test, pytest, vitest.
 */
export interface TestResult {
  key: TestKey;
  status: TestStatus;
  /** The runner's own spelling of the identity, verbatim. */
  raw: string;
  durationMs: number | null;
  /** First lines of the failure, capped; null for a pass. */
  message: string | null;
}

/** What became of one test file (or binary) as a whole. */
export interface TargetResult {
  file: string;
  state: 'ran' | 'compile-failed' | 'collect-failed' | 'crashed' | 'hung' | 'empty' | 'not-reached';
  message: string | null;
}

export type TestOrder = { kind: 'listed' } | { kind: 'reversed' } | { kind: 'shuffled'; seed: string };

export interface SuiteRunRequest {
  runner: RunnerName;
  sandbox: Sandbox;
  /** Workspace inside the sandbox, e.g. /workspace. */
  workspace: string;
  /** Folder below the workspace where the runner starts ('' for the workspace). */
  cwd: string;
  project: string | null;
  /** Path keys relative to the workspace. Whole files: never single tests on a command line. */
  files: readonly string[];
  timeoutMs: number;
  perTestTimeoutMs: number;
  /** Silence allowed while no test runs (the runner starts, a file loads); default three tests' time and 20 s more. */
  loadTimeoutMs?: number;
  order: TestOrder;
  /** Folder on the host, empty, made for this run alone: the reporter's file goes there. */
  reportFolder: string;
  /** Days to move the clock of the tests ahead; 0 for now. */
  clockDays: number;
}

/** Why a run as a whole has no complete report; null when it has. */
export type RunFailure = 'compile' | 'collect' | 'crash' | 'hang' | 'suite-aborted' | 'forged';

export interface SuiteRunResult {
  tests: TestResult[];
  targets: TargetResult[];
  failure: RunFailure | null;
  /** In words: what the report lacked or what contradicted it (exit code, listing, torn line, size). */
  evidence: string | null;
  /** Signs of tampering that decide nothing by themselves: an exit before the tests were done, functions replaced. */
  suspicions: string[];
  exitCode: number | null;
  timedOut: boolean;
  /** Tail of stdout and stderr, capped. */
  output: Buffer;
  durationMs: number;
}

export interface Runner {
  readonly name: RunnerName;
  /** Anchored regular expressions over path keys: files this runner takes for tests by convention. */
  readonly testFilePatterns: readonly RegExp[];
  /** Anchored patterns of files that steer the runner (its configuration, setup files, conftest). */
  readonly steeringFilePatterns: readonly RegExp[];
  /** Fields of shared manifests that steer the runner: manifest path -> key paths. */
  readonly steeringFields: Readonly<
    Record<string, { format: 'json' | 'toml' | 'ini'; fields: readonly (readonly string[])[] }>
  >;
  /** Tests that exist, without running their bodies; null where this runner cannot list. */
  list(request: SuiteRunRequest): Promise<{ keys: TestKey[]; targets: TargetResult[] } | null>;
  /** Runs the files to the end. Never throws for what the code under test does. */
  run(request: SuiteRunRequest): Promise<SuiteRunResult>;
}
