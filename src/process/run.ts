import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { Fault, messageOf } from '#kernel/faults.js';

export interface ProcessRequest {
  /** Program and arguments, passed verbatim: no shell ever sees them. */
  argv: readonly string[];
  cwd?: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /** Bytes for standard input; without them it is closed. */
  stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  timeoutMs?: number;
  /** Bytes kept of stdout and of stderr, each; the rest is read and dropped, so the child never blocks. */
  maxOutputBytes?: number;
  /** Receives stdout as it comes instead of collecting it. */
  onStdout?: (chunk: Buffer) => void;
  /** File descriptor for standard input, in place of `stdin` (Node's own pipes are sockets: nobody can open /dev/stdin on them). */
  stdinFd?: number;
  /** File descriptors for stdout and stderr (an agent CLI loses output on a slow pipe; a file is safe). */
  stdoutFd?: number;
  stderrFd?: number;
  signal?: AbortSignal;
}

export interface ProcessResult {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: Buffer;
  /** stdout or stderr was longer than `maxOutputBytes`. */
  truncated: boolean;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
}

export interface RunningProcess {
  pid: number;
  /** Resolves when the process has ended and its pipes are drained or cut; never rejects once started. */
  ended: Promise<ProcessResult>;
  /** Ends the process's whole group: SIGTERM, then SIGKILL after `graceMs` (0: SIGKILL at once). */
  end(graceMs?: number): Promise<void>;
}

const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** A grandchild may hold our pipe open after the child's death; so long may the pipe stay silent before it is cut. */
const SILENCE_MS = 1_000;

/**
 * Starts a program in a process group of its own.
 * @throws Fault `program-not-started` (environment) where the program cannot be started at all.
 */
export async function startProcess(request: ProcessRequest): Promise<RunningProcess> {
  const [program, ...args] = request.argv;
  if (program === undefined)
    throw new Fault({
      code: 'program-missing',
      kind: 'internal',
      message: 'a process was asked for without a program',
    });
  const startedAt = performance.now();
  const child = spawn(program, args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: { ...request.env },
    detached: true,
    stdio: [
      request.stdinFd ?? (request.stdin === undefined ? 'ignore' : 'pipe'),
      request.stdoutFd ?? 'pipe',
      request.stderrFd ?? 'pipe',
    ],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      reject(
        new Fault({
          code: 'program-not-started',
          kind: 'environment',
          message: `cannot start ${JSON.stringify(program)}: ${messageOf(cause)}`,
          hint: 'Check that it is installed and on the PATH; `featurearc doctor` lists what is missing.',
          cause,
        }),
      );
    });
  });
  const pid = child.pid ?? 0;
  const state = { timedOut: false, aborted: false };
  const collected = collectOutput(child, request);
  feedInput(child, request.stdin);
  const killGroup = (signal: NodeJS.Signals): void => signalGroup(pid, signal);
  const timer =
    request.timeoutMs === undefined
      ? null
      : setTimeout(() => {
          state.timedOut = true;
          killGroup('SIGKILL');
        }, request.timeoutMs);
  const onAbort = (): void => {
    state.aborted = true;
    killGroup('SIGKILL');
  };
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener('abort', onAbort, { once: true });

  const ended = (async (): Promise<ProcessResult> => {
    const exit = await new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    if (timer !== null) clearTimeout(timer);
    request.signal?.removeEventListener('abort', onAbort);
    await collected.drained();
    return { ...exit, ...state, ...collected.result(), durationMs: performance.now() - startedAt };
  })();

  return {
    pid,
    ended,
    end: async (graceMs = 0) => {
      if (graceMs > 0) {
        killGroup('SIGTERM');
        const gone = await Promise.race([
          ended.then(() => true),
          new Promise<false>((resolve) => setTimeout(() => resolve(false), graceMs)),
        ]);
        if (gone) {
          killGroup('SIGKILL');
          return;
        }
      }
      killGroup('SIGKILL');
      await ended;
    },
  };
}

/** Starts a program and waits for its end. Whatever its exit code: the caller judges it. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const running = await startProcess(request);
  return running.ended;
}

/** Signals every process of a group; a group that is gone already is fine. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): void {
  if (leaderPid <= 1) return;
  try {
    process.kill(-leaderPid, signal);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && (thrown.code === 'ESRCH' || thrown.code === 'EPERM')))
      throw thrown;
  }
}

function collectOutput(child: ChildProcess, request: ProcessRequest) {
  const limit = request.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const parts: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  const sizes = { stdout: 0, stderr: 0 };
  let truncated = false;
  let received = 0;
  const closings: Promise<void>[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    if (stream === null) continue;
    closings.push(new Promise((resolve) => stream.once('close', () => resolve())));
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (name === 'stdout' && request.onStdout !== undefined) {
        request.onStdout(chunk);
        return;
      }
      const room = limit - sizes[name];
      if (chunk.length > room) truncated = true;
      if (room <= 0) return;
      const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
      sizes[name] += kept.length;
      parts[name].push(kept);
    });
  }
  return {
    drained: async (): Promise<void> => {
      const closed = Promise.all(closings).then(() => true);
      for (;;) {
        const before = received;
        if (await Promise.race([closed, silence()])) break;
        if (received === before) break;
      }
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    result: () => ({ stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr), truncated }),
  };
}

function silence(): Promise<false> {
  return new Promise((resolve) => {
    // One more turn of the loop: after a long computation of ours the timer is due before the pipe was looked at.
    setTimeout(() => setImmediate(() => resolve(false)), SILENCE_MS).unref();
  });
}

function feedInput(child: ChildProcess, stdin: ProcessRequest['stdin']): void {
  if (stdin === undefined || child.stdin === null) return;
  const input = child.stdin;
  // A child that ends without reading its input is its own affair; its exit code tells.
  input.on('error', () => undefined);
  if (stdin instanceof Uint8Array) {
    input.end(stdin);
    return;
  }
  void (async () => {
    for await (const chunk of stdin) {
      if (input.destroyed) return;
      if (!input.write(chunk)) await drained(input);
    }
    input.end();
  })();
}

/** Resolves when the stream takes more or has closed, and leaves no listener behind. */
function drained(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      input.off('drain', settle);
      input.off('close', settle);
      resolve();
    };
    input.once('drain', settle);
    input.once('close', settle);
  });
}
