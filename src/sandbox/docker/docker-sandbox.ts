import { join } from 'node:path';
import { unguessableId } from '#kernel/ids.js';
import { CommandStreams } from '../captured/command-streams.js';
import { type RunningCommand, watchCommand } from '../captured/watch-command.js';
import type { GroupUsage } from '../cgroups/control-group.js';
import type {
  ExecRequest,
  ExecResult,
  GuestProcess,
  Mount,
  Sandbox,
  SandboxFacts,
  SandboxProcess,
  SandboxRequest,
} from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { DiskWatch } from '../host/disk-watch.js';
import { endProcesses } from '../host/end-processes.js';
import { mountSource, ownTrees, writablePaths } from '../host/own-tree.js';
import { allProcesses, killProcess, type ProcessEntry, treesOf } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';
import { Container, STREAMS_FOLDER } from './container.js';
import type { ContainerMount, ContainerPlan } from './container-settings.js';
import { removeVolumes } from './overlay-volumes.js';

export interface DockerParts {
  request: SandboxRequest;
  home: SandboxHome;
  /** Kernel uid of what runs inside. */
  uid: number;
  /** Whether writable folders must be given to that uid. */
  mustOwn: boolean;
  plan: ContainerPlan;
  enforced: { pids: boolean; memory: boolean; cpus: boolean };
  main: Container;
  /** Engine label of everything that belongs to this sandbox alone. */
  label: string;
  written: readonly string[];
}

interface RunningInContainer extends RunningCommand {
  container: Container;
}

/**
 * One container for the sandbox's life; commands are started in it from outside. A command with further mounts gets a
 * container of its own beside it, for a running container cannot be given any.
 */
export class DockerSandbox implements Sandbox {
  readonly kind = 'docker';
  private readonly running = new Map<number, RunningInContainer>();
  private readonly containers: Set<Container>;
  private readonly disk: DiskWatch | null;
  private past: GroupUsage = { oomKills: null, peakMemoryBytes: null, cpuMs: null };
  private closing: Promise<void> | null = null;
  private frozen = false;

  constructor(private readonly parts: DockerParts) {
    this.containers = new Set([parts.main]);
    const { diskBytes } = parts.request.limits;
    // Whatever survives a failing kill here is met again by the end of its command and by the close.
    const endAll = (): void => void this.killAll().catch(() => undefined);
    this.disk = diskBytes === null ? null : new DiskWatch(parts.written, diskBytes, endAll);
  }

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    const container = await this.containerFor(request);
    container.starting += 1;
    try {
      const command = await this.launch(request, container);
      this.running.set(command.pid, { ...command, container });
      void command.ended.finally(() => this.running.delete(command.pid)).catch(() => undefined);
      return command;
    } finally {
      // In one breath with the registration: the command's end must count it once, neither twice nor not at all.
      container.starting -= 1;
    }
  }

  async processes(): Promise<GuestProcess[]> {
    return (await this.guests()).map(({ pid, command }) => ({ pid, command }));
  }

  async freeze(): Promise<void> {
    if (this.frozen) return;
    await Promise.all([...this.containers].map((container) => container.pause()));
    this.frozen = true;
  }

  async thaw(): Promise<void> {
    if (!this.frozen) return;
    await Promise.all([...this.containers].map((container) => container.unpause()));
    this.frozen = false;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const excepted = new Set(options.except);
    const gone = [...this.running.values()].filter(({ pid }) => !excepted.has(pid));
    for (const command of gone) command.markKilled();
    const kept = treesOf(excepted, allProcesses());
    const doomed = async () => (await this.guests()).filter(({ pid }) => !kept.has(pid));
    const survivors = await doomed();
    await this.end(doomed);
    if (!this.frozen) await Promise.all(gone.map((command) => command.kill()));
    return survivors.map(({ pid, command }) => ({ pid, command }));
  }

  async facts(): Promise<SandboxFacts> {
    const usage = await this.usage();
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
    await Promise.all([...this.containers].map((container) => this.retire(container)));
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
        argv: request.argv,
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
      if (container !== parts.main) await this.retire(container);
      throw thrown;
    }
  }

  private async containerFor(request: ExecRequest): Promise<Container> {
    const { parts } = this;
    const further = request.mounts ?? [];
    if (further.length === 0) return parts.main;
    const real: Mount[] = [];
    for (const mount of further) real.push({ ...mount, from: await mountSource(mount.from, mount.mode === 'rw') });
    const copied = await copyForOverlay(real, join(parts.home.folder, unguessableId()));
    if (parts.mustOwn) await ownTrees(writablePaths(copied), parts.uid);
    const mounts = copied.map(
      ({ from, to, mode }): ContainerMount => ({ from, to, readOnly: mode === 'ro', volume: false }),
    );
    const plan = { ...parts.plan, mounts: [...parts.plan.mounts, ...mounts] };
    const container = await Container.create(plan, parts.enforced);
    this.containers.add(container);
    return container;
  }

  /** What a command leaves behind dies with it, as in the other sandboxes, unless another one still runs beside it. */
  private async settle(container: Container): Promise<string[] | null> {
    await this.disk?.look();
    if (this.hasOthers(container)) return null;
    const survivors = await container.guests();
    await this.end(() => container.guests());
    if (container !== this.parts.main) await this.retire(container);
    return survivors.map(({ command }) => command);
  }

  private hasOthers(container: Container): boolean {
    const here = [...this.running.values()].filter((command) => command.container === container);
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
    await endProcesses(find, async (pids) => {
      if (this.frozen) for (const container of this.containers) await container.releaseToDie(pids);
      const [first] = pids;
      // A harness that is not root may not signal the guest's user from outside.
      if (first !== undefined && !killProcess(first)) {
        for (const container of this.containers) await container.killFromInside(this.parts.uid);
      }
    });
  }

  private async guests(): Promise<ProcessEntry[]> {
    return (await Promise.all([...this.containers].map((container) => container.guests()))).flat();
  }

  private async retire(container: Container): Promise<void> {
    this.past = added(this.past, await container.usage());
    this.containers.delete(container);
    await container.remove();
  }

  private async usage(): Promise<GroupUsage> {
    const present = await Promise.all([...this.containers].map((container) => container.usage()));
    return present.reduce(added, this.past);
  }
}

/** Unknown plus known is known: a sandbox without any known part stays unknown. */
function added(one: GroupUsage, other: GroupUsage): GroupUsage {
  const both = (a: number | null, b: number | null, join: (a: number, b: number) => number): number | null =>
    a === null ? b : b === null ? a : join(a, b);
  const sum = (a: number, b: number): number => a + b;
  return {
    oomKills: both(one.oomKills, other.oomKills, sum),
    peakMemoryBytes: both(one.peakMemoryBytes, other.peakMemoryBytes, Math.max),
    cpuMs: both(one.cpuMs, other.cpuMs, sum),
  };
}
