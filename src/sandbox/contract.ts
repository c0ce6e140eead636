/**
 * A sandbox runs commands that nobody trusts. Members: bwrap, docker, local. All speak host paths on the host side
 * and the same guest paths inside, so that a suite or an agent cannot tell which one it is in by its layout.
 */
export type SandboxKind = 'bwrap' | 'docker' | 'local';

export interface Mount {
  /** Absolute path on the host. */
  from: string;
  /** Absolute path inside. In `local` the command sees `from` instead: see `Sandbox.guestPath`. */
  to: string;
  /** `ro` read-only · `rw` written through to the host · `overlay` writable inside, changes dropped at close. */
  mode: 'ro' | 'rw' | 'overlay';
}

export interface Limits {
  /** Processes and threads alive at once. */
  pids: number | null;
  memoryBytes: number | null;
  cpus: number | null;
  /** Bytes that all `rw` and `overlay` mounts together may hold. */
  diskBytes: number | null;
}

export interface SandboxRequest {
  mounts: readonly Mount[];
  /**
   * `none`: loopback only. `host`: the host's network and resolver, for building environments alone; neither agents nor
   * graders ever get it. A socket folder carries the model gateway's socket in (mounted read-only at /featurearc/gateway).
   */
  network: 'none' | 'host' | { socketDir: string };
  limits: Limits;
  /** The whole environment inside; nothing of the host's is added. */
  env: Readonly<Record<string, string>>;
  /** Default working folder inside. */
  cwd: string;
  /** Label by which leftovers of a dead harness are found and killed: `Sandboxes.killByLabel`. */
  label: string;
}

export interface ExecRequest {
  argv: readonly string[];
  cwd?: string;
  /** Added to the sandbox's environment. */
  env?: Readonly<Record<string, string>>;
  stdin?: Uint8Array;
  /** stdout goes to this host file (safe for CLIs that lose output on slow pipes) instead of being collected. */
  stdoutFile?: string;
  stderrFile?: string;
  timeoutMs?: number;
  /** Bytes kept of each of stdout and stderr, in memory or in the file; beyond it output is cut and said so. */
  maxOutputBytes?: number;
  /**
   * The model gateway is to be reached at 127.0.0.1 and this port inside, for programs that cannot connect to a socket
   * file. Only in a sandbox with a socket folder, in which the socket is called `gateway.sock`.
   */
  gatewayPort?: number;
  /** Further mounts for this command only (grading's report folder). */
  mounts?: readonly Mount[];
}

export interface ExecResult {
  /** 128 + n for a command that signal n ended; null where the harness killed it. */
  exitCode: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: Buffer;
  truncated: boolean;
  timedOut: boolean;
  /** A process of this command was killed for memory. Null where it cannot be known. */
  oom: boolean | null;
  /**
   * What the command had left running at its end, by command line: all of it is dead when the result arrives. (While
   * another command of the same sandbox still runs, docker and local leave it to that one's end.) Null where it cannot be
   * known, e.g. because the harness killed everything.
   */
  survivors: readonly string[] | null;
  durationMs: number;
}

/** A command that is still running. */
export interface SandboxProcess {
  /** Host pid of the outermost process. */
  pid: number;
  ended: Promise<ExecResult>;
  /** Kills the command with everything it started. */
  kill(): Promise<void>;
}

export interface GuestProcess {
  /** Pid on the host. */
  pid: number;
  command: string;
}

export interface SandboxFacts {
  kind: SandboxKind;
  oom: boolean | null;
  peakMemoryBytes: number | null;
  cpuMs: number | null;
  diskFull: boolean | null;
  /** Which limits the kernel really holds here. A requested limit that is false here is reported, never silent. */
  enforced: { pids: boolean; memory: boolean; cpus: boolean; disk: boolean; network: boolean; filesystem: boolean };
}

/**
 * An open sandbox. To be opened and used from the main thread: the kernel kills a bubblewrap when the thread that started
 * it ends. What the host writes into a writable mount later belongs to the host's user: the guest can read and remove it, not
 * change it.
 */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * Runs one command to its end. Never throws for what the command does.
   * What it leaves in the background does not outlive it; for that there is `start`.
   * @throws Fault `sandbox-not-started` (environment) where the sandbox itself broke
   */
  exec(request: ExecRequest): Promise<ExecResult>;
  /** Starts a command that outlives the call (a live agent session). */
  start(request: ExecRequest): Promise<SandboxProcess>;
  /** Everything alive inside, but for the sandbox's own first process. */
  processes(): Promise<GuestProcess[]>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Kills everything inside except the trees below the given host pids; returns who had survived until then. */
  killAll(options?: { except?: readonly number[] }): Promise<GuestProcess[]>;
  facts(): Promise<SandboxFacts>;
  /** The path at which a command sees a guest path: itself, but in `local` the host path behind it. */
  guestPath(path: string): string;
  /** Kills everything, removes everything it made. Safe to call twice. */
  close(): Promise<void>;
}

/** What a kind can do on this machine, for `doctor` and for `auto`. */
export interface SandboxProbe {
  kind: SandboxKind;
  usable: boolean;
  /** What is missing and how to get it; null when usable. */
  reason: string | null;
  hint: string | null;
  /** Safe for an agent that executes model output. `local` never is. */
  isolating: boolean;
  version: string | null;
}

export interface SandboxMember {
  readonly kind: SandboxKind;
  probe(): Promise<SandboxProbe>;
  /** @throws Fault (environment) where the sandbox cannot be had */
  open(request: SandboxRequest): Promise<Sandbox>;
  /** Kills what sandboxes of this label left after their harness died; returns how many processes or containers. */
  killByLabel(label: string): Promise<number>;
}
