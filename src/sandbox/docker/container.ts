import type { IncomingMessage } from 'node:http';
import { delay } from '#kernel/async.js';
import { certain, Fault } from '#kernel/faults.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import type { ControlGroup, GroupUsage } from '../cgroups/control-group.js';
import { groupOfProcess } from '../cgroups/group-of-process.js';
import { livingProcesses, type ProcessEntry, readProcess, realUidOf } from '../host/process-table.js';
import { type ContainerPlan, containerSettings, INIT_UID } from './container-settings.js';
import { callEngine, callIfThere, isStatus, openCall, readAll } from './engine.js';
import { linesOf } from './exec-stream.js';

/** How often a command's process is looked for beside its stream, and how often in a row it must be missing. */
const LOOK_MS = 250;
const GONE_ROUNDS = 4;
/** How long the engine is asked for a command's pid: five seconds. */
const PID_ROUNDS = 500;
const PID_PAUSE_MS = 10;

/** The report folder of commands' standard streams inside. */
export const STREAMS_FOLDER = '/featurearc/streams';

// Runs the command with files for streams, and reports over the engine's stream, which the command never gets hold of.
const GUEST = `
echo "started $$"
exec 3>&1 2>/dev/null
in=$1 out=$2 err=$3
shift 3
"$@" < "$in" >> "$out" 2>> "$err" 3>&-
code=$?
echo "code $code" >&3
exit $code
`;

export interface ContainerCommand {
  /** Kernel uid and gid. */
  uid: number;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Guest paths. */
  streams: { stdin: string; stdout: string; stderr: string };
}

export interface StartedInContainer {
  /** Host pid of the command's shell. */
  pid: number;
  /** Exit code; null where the shell itself was killed. */
  ended: Promise<number | null>;
}

/** One running container with nothing in it but its first process. */
export class Container {
  /** Commands whose start has begun: what is theirs must not be taken for what another one left. */
  starting = 0;

  private constructor(
    readonly id: string,
    /** Host pid of the first process. */
    readonly initPid: number,
    private readonly group: ControlGroup,
  ) {}

  static async create(plan: ContainerPlan, enforced: ControlGroup['enforced']): Promise<Container> {
    const created = await callEngine({ method: 'POST', path: '/containers/create', body: containerSettings(plan) });
    const id = certain((created as { Id?: string }).Id, 'the id of a created container');
    try {
      await callEngine({ method: 'POST', path: `/containers/${id}/start` });
      const state = (await callEngine({ method: 'GET', path: `/containers/${id}/json` })) as { State: { Pid: number } };
      const group = await groupOfProcess(state.State.Pid, enforced);
      if (group === null) throw notOnThisHost(state.State.Pid);
      return new Container(id, state.State.Pid, group);
    } catch (thrown) {
      await removeContainer(id);
      throw thrown;
    }
  }

  async start({ uid, argv, env, cwd, streams }: ContainerCommand): Promise<StartedInContainer> {
    const variables = Object.entries({ PWD: cwd, ...env }).map(([name, value]) => `${name}=${value}`);
    const shell = ['/bin/sh', '-c', GUEST, 'sh', streams.stdin, streams.stdout, streams.stderr, ...argv];
    const created = await callEngine({
      method: 'POST',
      path: `/containers/${this.id}/exec`,
      body: {
        User: `${uid}:${uid}`,
        WorkingDir: cwd,
        AttachStdout: true,
        // The engine adds variables of its own, so the environment is made anew.
        Cmd: ['/usr/bin/env', '-i', ...variables, ...shell],
      },
    });
    const exec = certain((created as { Id?: string }).Id, 'the id of a created command');
    const stream = await openCall({ method: 'POST', path: `/exec/${exec}/start`, body: { Detach: false, Tty: false } });
    const lines = linesOf(stream);
    const first = await lines.next();
    if (first.done === true || !first.value.startsWith('started ')) {
      throw new Fault({
        code: 'sandbox-not-started',
        kind: 'environment',
        message: `the container could not run a command: ${first.done === true ? 'it ended at once' : first.value}`,
        hint: 'Look whether the working folder exists inside and whether the container is alive.',
      });
    }
    const pid = await pidOf(exec);
    return { pid, ended: exitCodeFrom({ stream, lines, exec, pid }) };
  }

  /**
   * Gives folders inside to a user, without following links, before anything of the guest's has run. Only as root; from
   * outside, since inside nobody has the capability.
   */
  async own(folders: readonly string[], uid: number): Promise<void> {
    const result = await runProcess({
      argv: [
        'nsenter',
        `--mount=/proc/${this.initPid}/ns/mnt`,
        '--',
        'chown',
        '-R',
        '-P',
        '-h',
        `${uid}:${uid}`,
        '--',
        ...folders,
      ],
      env: plainEnvironment(),
      cwd: '/',
    });
    if (result.exitCode === 0) return;
    throw new Fault({
      code: 'mount-not-owned',
      kind: 'environment',
      message: `cannot give ${folders.join(', ')} to the container's user: ${result.stderr.toString('utf8').slice(0, 500)}`,
      hint: 'Mount them read-only, or free disk space.',
    });
  }

  /** Everything inside that is not ours: our own processes have a uid that no guest can have. */
  async guests(): Promise<ProcessEntry[]> {
    const all = livingProcesses(await this.group.pids());
    return all.filter(({ pid }) => pid !== this.initPid && realUidOf(pid) !== INIT_UID);
  }

  usage(): Promise<GroupUsage> {
    return this.group.usage();
  }

  releaseToDie(pids: readonly number[]): Promise<void> {
    return this.group.releaseToDie(pids);
  }

  async pause(): Promise<void> {
    await callEngine({ method: 'POST', path: `/containers/${this.id}/pause` });
  }

  async unpause(): Promise<void> {
    await callEngine({ method: 'POST', path: `/containers/${this.id}/unpause` });
  }

  /** Kills everything inside as the guest's own user: for a harness that may not signal processes of other users. */
  async killFromInside(uid: number): Promise<void> {
    const body = { User: `${uid}:${uid}`, AttachStdout: true, Cmd: ['/bin/sh', '-c', 'kill -KILL -1'] };
    const created = await callEngine({ method: 'POST', path: `/containers/${this.id}/exec`, body });
    const exec = certain((created as { Id?: string }).Id, 'the id of a created command');
    await readAll(await openCall({ method: 'POST', path: `/exec/${exec}/start`, body: { Detach: false } }));
  }

  remove(): Promise<void> {
    return removeContainer(this.id);
  }
}

/** Kills and removes a container; one that is gone or just going is fine. */
export async function removeContainer(id: string): Promise<void> {
  try {
    await callIfThere({ method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' } });
  } catch (thrown) {
    if (!isStatus(thrown, 409)) throw thrown;
  }
}

/**
 * Host pid of a command that has reported its start. The engine may know it a moment later than the command speaks, and says 0
 * until then: taken for the pid, it would stand for every process of the machine. 0 only where the command has ended.
 */
async function pidOf(exec: string): Promise<number> {
  for (let round = 0; round < PID_ROUNDS; round += 1) {
    const told = (await callEngine({ method: 'GET', path: `/exec/${exec}/json` })) as {
      Pid: number;
      ExitCode: number | null;
    };
    if (told.Pid > 0 || told.ExitCode !== null) return told.Pid;
    await delay(PID_PAUSE_MS);
  }
  throw new Fault({
    code: 'sandbox-not-started',
    kind: 'environment',
    message: 'the Docker engine does not tell the process of a command that has started',
    hint: 'See the daemon log; restart the daemon where it has been busy for long.',
  });
}

interface StartedCommand {
  stream: IncomingMessage;
  lines: AsyncGenerator<string>;
  /** The engine's id of it. */
  exec: string;
  /** On the host; 0 where it had ended before the engine was asked. */
  pid: number;
}

/** The code that the command's shell reported when it is over; null where it was killed. */
async function exitCodeFrom({ stream, lines, exec, pid }: StartedCommand): Promise<number | null> {
  let code: number | null = null;
  const told = (async () => {
    for await (const line of lines) {
      const number = /^code (\d+)$/.exec(line)?.[1];
      if (number !== undefined) code = Number(number);
    }
  })();
  await (pid === 0 ? told : Promise.race([told, goneFrom(pid, told)]));
  // Where its death was heard first, nobody reads the stream to its end.
  told.catch(() => undefined);
  stream.destroy();
  if (code !== null) return code;
  const ended = (await callIfThere({ method: 'GET', path: `/exec/${exec}/json` })) as {
    ExitCode?: number | null;
  } | null;
  return ended?.ExitCode ?? null;
}

/** Once the process has been gone for a while: the engine does not always end the stream of a command that was killed. */
function goneFrom(pid: number, told: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    let rounds = 0;
    const timer = setInterval(() => {
      rounds = readProcess(pid) === null ? rounds + 1 : 0;
      if (rounds < GONE_ROUNDS) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS);
    const stop = (): void => clearInterval(timer);
    told.then(stop, stop);
  });
}

function notOnThisHost(pid: number): Fault {
  return new Fault({
    code: 'docker-elsewhere',
    kind: 'environment',
    message: `the Docker engine's processes (${pid}) are not visible on this machine`,
    hint: 'The engine must run on the same Linux, not in a virtual machine or outside of the container that we are in.',
  });
}
