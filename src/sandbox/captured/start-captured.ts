import { type RunningProcess, startProcess } from '#process/index.js';
import type { ExecRequest } from '../contract.js';
import { CommandStreams } from './command-streams.js';
import { type RunningCommand, type WatchedCommand, watchCommand } from './watch-command.js';

export interface CapturedCommand extends Pick<WatchedCommand, 'oomKills' | 'settle'> {
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
  kill: (running: RunningProcess) => Promise<void>;
}

/** Starts a command as a process of the host, with its output in files and its limits watched. */
export async function startCaptured(command: CapturedCommand): Promise<RunningCommand> {
  const { request, folder, owner, kill, oomKills, settle } = command;
  const oomKillsBefore = await oomKills();
  const streams = await CommandStreams.open({ request, folder, owner, inherited: true });
  try {
    const running = await startProcess({
      argv: command.argv,
      env: command.env,
      cwd: command.cwd,
      stdoutFd: streams.stdout.fd,
      stderrFd: streams.stderr.fd,
      ...(streams.stdin === null ? {} : { stdinFd: streams.stdin.fd }),
    });
    const { pid, ended } = running;
    return watchCommand({ request, streams, pid, ended, kill: () => kill(running), settle, oomKills, oomKillsBefore });
  } catch (thrown) {
    await streams.finish();
    throw thrown;
  }
}
