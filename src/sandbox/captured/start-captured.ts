import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { unguessableId } from '#kernel/ids.js';
import { type ProcessResult, type RunningProcess, startProcess } from '#process/index.js';
import type { ExecRequest, ExecResult, SandboxProcess } from '../contract.js';
import { OutputFile } from './output-file.js';

const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface CapturedCommand {
  /** The whole command line on the host, launcher included. */
  argv: readonly string[];
  /** Environment of the launcher, not of what it launches. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  request: ExecRequest;
  /** Private folder of the harness for standard streams. */
  folder: string;
  /** Kernel uid of the command, where it is not ours. */
  owner: number | null;
  /** Ends the command with everything it started; the outermost process then ends by itself. */
  kill: (running: RunningProcess) => Promise<void>;
  /** Cumulative count of processes killed for memory, where the kernel tells. */
  oomKills: () => Promise<number | null>;
  /** Called after the end, before the result is given out. */
  settle?: () => Promise<void>;
}

/** Starts a command of the host whose output goes to files, with time and output limits. */
export async function startCaptured(command: CapturedCommand): Promise<SandboxProcess> {
  const { request, folder, owner } = command;
  const maxBytes = request.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const base = join(folder, unguessableId());
  const oomBefore = await command.oomKills();
  const stdout = await OutputFile.create(request.stdoutFile ?? `${base}.out`, maxBytes, owner);
  const stderr = await OutputFile.create(request.stderrFile ?? `${base}.err`, maxBytes, owner);
  const stdin = await openInput(request.stdin, `${base}.in`, owner);
  let running: RunningProcess;
  try {
    running = await startProcess({
      argv: command.argv,
      env: command.env,
      cwd: command.cwd,
      stdoutFd: stdout.fd,
      stderrFd: stderr.fd,
      ...(stdin === null ? {} : { stdinFd: stdin.fd }),
    });
  } catch (thrown) {
    await Promise.all([stdout.finish(), stderr.finish()]);
    throw thrown;
  } finally {
    await stdin?.close();
  }
  const state = { timedOut: false, killed: false };
  const timer =
    request.timeoutMs === undefined
      ? null
      : setTimeout(() => {
          state.timedOut = true;
          state.killed = true;
          void command.kill(running);
        }, request.timeoutMs);
  const ended = (async (): Promise<ExecResult> => {
    const result = await running.ended;
    if (timer !== null) clearTimeout(timer);
    await command.settle?.();
    await Promise.all([stdout.finish(), stderr.finish()]);
    const oomAfter = await command.oomKills();
    return {
      ...exitOf(result, state.killed),
      stdout: request.stdoutFile === undefined ? await stdout.take() : Buffer.alloc(0),
      stderr: request.stderrFile === undefined ? await stderr.take() : Buffer.alloc(0),
      truncated: stdout.truncated || stderr.truncated,
      timedOut: state.timedOut,
      oom: oomBefore === null || oomAfter === null ? null : oomAfter > oomBefore,
      durationMs: result.durationMs,
    };
  })();
  return {
    pid: running.pid,
    ended,
    kill: async () => {
      state.killed = true;
      await command.kill(running);
      await ended;
    },
  };
}

/** Launchers turn a signal into 128 + its number; here both ways of telling look the same. */
export function exitOf(
  result: Pick<ProcessResult, 'exitCode' | 'signal'>,
  killed: boolean,
): { exitCode: number | null; signal: string | null } {
  if (killed) return { exitCode: null, signal: 'SIGKILL' };
  if (result.signal !== null) return { exitCode: 128 + constants.signals[result.signal], signal: result.signal };
  const number = (result.exitCode ?? 0) - 128;
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return { exitCode: result.exitCode, signal: named?.[0] ?? null };
}

/** Standard input as a file, so that a command can open /dev/stdin. */
async function openInput(
  stdin: Uint8Array | undefined,
  path: string,
  owner: number | null,
): Promise<FileHandle | null> {
  if (stdin === undefined) return null;
  await writeFile(path, stdin, { mode: 0o600, flag: 'wx' });
  const handle = await open(path, 'r');
  if (owner !== null) await handle.chown(owner, owner);
  return handle;
}
