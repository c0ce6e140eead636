import { constants } from 'node:os';
import type { ExecRequest, ExecResult, SandboxProcess } from '../contract.js';
import type { CommandStreams } from './command-streams.js';

export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

export interface WatchedCommand {
  request: ExecRequest;
  streams: CommandStreams;
  /** Host pid of the outermost process. */
  pid: number;
  ended: Promise<CommandEnd>;
  /** Ends the command with everything it started, whereupon `ended` resolves. */
  kill: () => Promise<void>;
  /** After the end: ends what is left and names it; null where it cannot be known. */
  settle: (end: CommandEnd) => Promise<string[] | null>;
  /** Cumulative count of processes killed for memory, where the kernel tells. */
  oomKills: () => Promise<number | null>;
  oomKillsBefore: number | null;
}

/** What a sandbox keeps of a command that runs. */
export interface RunningCommand extends SandboxProcess {
  /** Its end, whenever it comes, is the harness's doing. */
  markKilled(): void;
}

/** Holds a started command to its time limit and makes its result. */
export function watchCommand(command: WatchedCommand): RunningCommand {
  const startedAt = performance.now();
  const state = { timedOut: false, killed: false, over: false };
  const kill = async (): Promise<void> => {
    // Its number may be another's by now, and what runs beside it is not its own.
    if (state.over) return;
    state.killed = true;
    await command.kill();
  };
  const { timeoutMs } = command.request;
  const timer =
    timeoutMs === undefined
      ? null
      : setTimeout(() => {
          state.timedOut = true;
          // A failing kill shows in `ended`, which then never comes by itself; the sandbox's close tries again.
          kill().catch(() => undefined);
        }, timeoutMs);
  const ended = (async (): Promise<ExecResult> => {
    const end = await command.ended;
    state.over = true;
    const durationMs = performance.now() - startedAt;
    if (timer !== null) clearTimeout(timer);
    const { killed, timedOut } = state;
    const survivors = await command.settle(end);
    const oomAfter = await command.oomKills();
    const before = command.oomKillsBefore;
    return {
      ...exitOf(end, killed),
      ...(await command.streams.finish()),
      timedOut,
      oom: before === null || oomAfter === null ? null : oomAfter > before,
      survivors: killed ? null : survivors,
      durationMs,
    };
  })();
  // Whoever only starts and kills must not be hit by an unhandled rejection; whoever awaits `ended` still gets it.
  ended.catch(() => undefined);
  return {
    pid: command.pid,
    ended,
    markKilled: () => {
      state.killed = true;
    },
    kill: async () => {
      await kill();
      await ended.catch(() => undefined);
    },
  };
}

/** Launchers turn a signal into 128 + its number: here both ways of telling look the same. */
export function exitOf(end: CommandEnd, killed: boolean): { exitCode: number | null; signal: string | null } {
  if (killed) return { exitCode: null, signal: 'SIGKILL' };
  if (end.signal !== null) return { exitCode: 128 + constants.signals[end.signal], signal: end.signal };
  const number = (end.exitCode ?? 0) - 128;
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return { exitCode: end.exitCode, signal: named?.[0] ?? null };
}
