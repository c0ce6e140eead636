import type { AgentConfiguration } from '#documents/experiment.js';
import type { Sandbox } from '#sandbox/index.js';
import type { UntrustedFolder } from '#store/index.js';

/** What an agent did in one turn, as facts. Adapters never name outcomes: `classifyOutcome` does. */
export interface AgentFacts {
  /** The agent's program was started (or, for a host-side agent, called). */
  started: boolean;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** The conversation could not be continued, and whose deed that was. */
  sessionLost: 'agent' | 'environment' | null;
  refused: boolean;
  /** Any output or tool call; file changes are for the taker of the snapshot to see. Null where the adapter cannot tell. */
  activity: boolean | null;
  /** The agent's own words for what went wrong. */
  error: string | null;
  nativeSessionId: string | null;
  usage: AgentUsage | null;
  /** Command lines of what the turn left running and that ended with it; null where that cannot be known. */
  survivors: readonly string[] | null;
  durationMs: number;
}

/** What one turn cost. Null is unknown. */
export interface AgentUsage {
  input: number | null;
  cachedInput: number | null;
  output: number | null;
  costUsd: number | null;
  requests: number | null;
}

export interface AgentTurn {
  stage: number;
  round: number;
  prompt: string;
  /** The same prompt as a file inside the sandbox. */
  promptFile: string;
  budgetMs: number;
  /** Host folder for what the scaffold writes of its own accord (event streams, logs). */
  nativeFolder: string;
  signal: AbortSignal;
}

/** What a host-side agent may do to the workspace; references never enter a sandbox. */
export interface ReferenceHand {
  stages: number;
  /** Changes the workspace by the difference S_stage -> S_(stage+1), three-way, so earlier deviations stay. */
  applyStage(stage: number): Promise<{ conflicts: string[] }>;
  /** Source files changed by the stage (not tests), by path key, with the text of S_(stage+1) and the added lines, from 1. */
  sourceOf(stage: number): Promise<{ path: string; text: Buffer; addedLines: number[] }[]>;
}

export interface AgentSessionRequest {
  configuration: AgentConfiguration;
  sandbox: Sandbox;
  /** Inside the sandbox. */
  workspace: string;
  home: string;
  /** The workspace on the host, for host-side agents: no link followed. */
  files: UntrustedFolder;
  /** Stable through all stages and resumes of a run. */
  sessionId: string;
  /** From an earlier process of this run, to resume with; null at the first stage. */
  nativeSessionId: string | null;
  modelAccess: { baseUrl: string; token: string } | null;
  /** Given to host-side agents only. */
  reference: ReferenceHand | null;
  seed: string;
  task: string;
}

export interface AgentSession {
  turn(turn: AgentTurn): Promise<AgentFacts>;
  interrupt(): Promise<void>;
  close(): Promise<void>;
  /** Host pids of live processes that must survive the end of a stage; empty for one process per turn. */
  liveProcesses(): number[];
}

export interface AgentCapabilities {
  /** Acts from the host by design (oracle, faulty, scripted, nop); needs no program in the sandbox. */
  hostSide: boolean;
  /** Runs what a model writes, so it may never run in `local`. */
  executesModelOutput: boolean;
  resume: 'native-id' | 'live-process' | 'stateless';
  usage: 'per-stage' | 'none';
}

export interface AgentScaffold {
  readonly name: AgentConfiguration['scaffold'];
  readonly capabilities: AgentCapabilities;
  /** Checks the options of a configuration. @throws Fault `agent-options` (input) naming the field */
  check(configuration: AgentConfiguration): void;
  /** Takes the content of files that the options name into the configuration, so that nothing outside it decides. */
  resolve?(configuration: AgentConfiguration, folder: string): Promise<AgentConfiguration>;
  open(request: AgentSessionRequest): Promise<AgentSession>;
}
