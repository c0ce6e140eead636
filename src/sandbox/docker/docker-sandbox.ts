import { join } from 'node:path';
import { CommandStreams } from '../captured/command-streams.js';
import { type RunningCommand, watchCommand } from '../captured/watch-command.js';
import type {
  ExecRequest,
  ExecResult,
  GuestProcess,
  Sandbox,
  SandboxFacts,
  SandboxProcess,
  SandboxRequest,
} from '../contract.js';
import { DiskWatch } from '../host/disk-watch.js';
import { endProcesses } from '../host/end-processes.js';
import { guestArguments } from '../host/gateway-forwarding.js';
import { withCommands } from '../host/process-memory.js';
import { allProcesses, type ProcessEntry, treesOf } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';
import { type Container, STREAMS_FOLDER } from './container.js';
import type { Containers } from './containers.js';
import { removeVolumes } from './overlay-volumes.js';

export interface DockerParts {
  request: SandboxRequest;
  home: SandboxHome;
  /** Kernel uid of what runs inside. */
  uid: number;
  enforced: { pids: boolean; memory: boolean; cpus: boolean };
  containers: Containers;
  /** Engine label of everything that belongs to this sandbox alone. */
  label: string;
  written: readonly string[];
}

interface RunningInContainer extends RunningCommand {
  container: Container;
}

/** Containers with nothing in them but their first process; commands are started in them from outside. */
export class DockerSandbox implements Sandbox {
  readonly kind = 'docker';
  private readonly running = new Set<RunningInContainer>();
  private readonly disk: DiskWatch | null;
  private closing: Promise<void> | null = null;
  private paused: Container[] | null = null;

  constructor(private readonly parts: DockerParts) {
    const { diskBytes } = parts.request.limits;
    // Whatever survives a failing kill here is met again by the end of its command and by the close.
    const endAll = (): void => void this.killAll().catch(() => undefined);
    this.disk = diskBytes === null ? null : new DiskWatch(parts.written, diskBytes, endAll);
  }

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    const container = await this.parts.containers.for(request.mounts ?? []);
    container.starting += 1;
    try {
      const command = await this.launch(request, container);
      // Not by its number: of several that ended before the engine was asked, all have the number 0.
      const held = { ...command, container };
      this.running.add(held);
      void command.ended.finally(() => this.running.delete(held)).catch(() => undefined);
      return command;
    } finally {
      // In one breath with the registration: the command's end must count it once, neither twice nor not at all.
      container.starting -= 1;
    }
  }

  async processes(): Promise<GuestProcess[]> {
    return withCommands(await this.guests());
  }

  async freeze(): Promise<void> {
    if (this.paused !== null) return;
    this.paused = await this.parts.containers.all();
    for (const container of this.paused) await container.pause();
  }

  async thaw(): Promise<void> {
    for (const container of this.paused ?? []) await container.unpause();
    this.paused = null;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const excepted = new Set(options.except);
    const gone = [...this.running].filter(({ pid }) => !excepted.has(pid));
    for (const command of gone) command.markKilled();
    const kept = treesOf(excepted, allProcesses());
    const doomed = async () => (await this.guests()).filter(({ pid }) => !kept.has(pid));
    const survivors = await withCommands(await doomed());
    await this.end(doomed);
    if (this.paused === null) await Promise.all(gone.map((command) => command.kill()));
    return survivors;
  }

  async facts(): Promise<SandboxFacts> {
    const usage = await this.parts.containers.usage();
    return {
      kind: 'docker',
      oom: usage.oomKills === null ? null : usage.oomKills > 0,
      peakMemoryBytes: usage.peakMemoryBytes,
      cpuMs: usage.cpuMs,
      diskFull: this.disk?.full ?? null,
      enforced: {
        ...this.parts.enforced,
        disk: false,
        network: this.parts.request.network !== 'host',
        filesystem: true,
      },
    };
  }

  guestPath(path: string): string {
    return path;
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    await this.disk?.stop();
    await this.thaw();
    await this.killAll();
    await this.parts.containers.removeAll();
    await removeVolumes(this.parts.label);
    await removeSandboxHome(this.parts.home);
  }

  private async launch(request: ExecRequest, container: Container): Promise<RunningCommand> {
    const { parts } = this;
    const folder = join(parts.home.folder, 'streams');
    const oomKillsBefore = (await container.usage()).oomKills;
    const streams = await CommandStreams.open({ request, folder, owner: parts.uid, inherited: false });
    const inside = (name: string): string => `${STREAMS_FOLDER}/${name}`;
    try {
      const { names } = streams;
      const { pid, ended } = await container.start({
        uid: parts.uid,
        argv: guestArguments(request, (path) => this.guestPath(path)),
        env: { ...parts.request.env, ...request.env },
        cwd: request.cwd ?? parts.request.cwd,
        streams: {
          stdin: names.stdin === null ? '/dev/null' : inside(names.stdin),
          stdout: inside(names.stdout),
          stderr: inside(names.stderr),
        },
      });
      return watchCommand({
        request,
        streams,
        pid,
        ended: ended.then((exitCode) => ({ exitCode, signal: null })),
        kill: () => this.endCommand(container, pid),
        settle: () => this.settle(container),
        oomKills: async () => (await container.usage()).oomKills,
        oomKillsBefore,
      });
    } catch (thrown) {
      await streams.finish();
      throw thrown;
    }
  }

  /** What a command leaves behind dies with it, as in the other sandboxes, unless another one still runs beside it. */
  private async settle(container: Container): Promise<string[] | null> {
    await this.disk?.look();
    if (this.hasOthers(container)) return null;
    const survivors = await withCommands(await container.guests());
    await this.end(() => container.guests());
    return survivors.map(({ command }) => command);
  }

  private hasOthers(container: Container): boolean {
    const here = [...this.running].filter((command) => command.container === container);
    return here.length + container.starting > 1;
  }

  private async endCommand(container: Container, pid: number): Promise<void> {
    const beside = this.hasOthers(container);
    await this.end(async () => {
      const guests = await container.guests();
      if (!beside) return guests;
      const tree = treesOf([pid], allProcesses());
      return guests.filter((guest) => tree.has(guest.pid));
    });
  }

  private async end(find: () => Promise<ProcessEntry[]>): Promise<void> {
    const { paused } = this;
    const asRoot = process.getuid?.() === 0;
    const release = async (pids: readonly number[]): Promise<void> => {
      for (const container of paused ?? []) await container.releaseToDie(pids);
      // Whoever is not root may not signal the guest's user from outside.
      if (!asRoot)
        for (const container of await this.parts.containers.all()) await container.killFromInside(this.parts.uid);
    };
    await endProcesses(find, paused === null && asRoot ? undefined : release);
  }

  private async guests(): Promise<ProcessEntry[]> {
    return (await Promise.all((await this.parts.containers.all()).map((container) => container.guests()))).flat();
  }
}
