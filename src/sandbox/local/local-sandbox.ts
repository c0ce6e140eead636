import { join } from 'node:path';
import type { RunningProcess } from '#process/index.js';
import { startCaptured } from '../captured/start-captured.js';
import type { RunningCommand } from '../captured/watch-command.js';
import type { ControlGroup } from '../cgroups/control-group.js';
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
import { DiskWatch } from '../host/disk-watch.js';
import { endProcesses, signalProcesses, stopProcesses } from '../host/end-processes.js';
import { fileBlocks } from '../host/file-blocks.js';
import { guestArguments } from '../host/gateway-forwarding.js';
import { processesMarked, withCommands } from '../host/process-memory.js';
import { allProcesses, livingProcesses, type ProcessEntry, treesOf } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';

export interface LocalParts {
  request: SandboxRequest;
  home: SandboxHome;
  group: ControlGroup | null;
  /** Host paths behind guest paths. */
  mounts: readonly Mount[];
}

// Joins the control groups and becomes the command.
const ENTER =
  'if [ "$1" != - ]; then ulimit -f "$1"; fi; shift; while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';

/** Runs commands as plain processes of ours: no isolation at all. Only for programs that the operator trusts. */
export class LocalSandbox implements Sandbox {
  readonly kind = 'local';
  private readonly running = new Map<number, RunningCommand>();
  private usage: Awaited<ReturnType<ControlGroup['usage']>> | null = null;
  private closing: Promise<void> | null = null;
  private frozen = false;
  /** Commands whose start has begun: what is theirs must not be taken for what another one left. */
  private starting = 0;
  private readonly disk: DiskWatch | null;

  constructor(private readonly parts: LocalParts) {
    const { diskBytes } = parts.request.limits;
    const written = parts.mounts.filter(({ mode }) => mode !== 'ro').map(({ from }) => from);
    // Whatever survives a failing kill here is met again by the end of its command and by the close.
    const endAll = (): void => void this.killAll().catch(() => undefined);
    this.disk = diskBytes === null ? null : new DiskWatch(written, diskBytes, endAll);
  }

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    this.starting += 1;
    try {
      const command = await this.launch(request);
      this.running.set(command.pid, command);
      void command.ended.finally(() => this.running.delete(command.pid)).catch(() => undefined);
      return command;
    } finally {
      // In one breath with the registration: the command's end must count it once, neither twice nor not at all.
      this.starting -= 1;
    }
  }

  async processes(): Promise<GuestProcess[]> {
    return withCommands(await this.entries());
  }

  async freeze(): Promise<void> {
    this.frozen = (await this.parts.group?.freeze()) === true;
    if (!this.frozen) await stopProcesses(() => this.entries());
  }

  async thaw(): Promise<void> {
    if (this.frozen) await this.parts.group?.thaw();
    else signalProcesses(await this.entries(), 'SIGCONT');
    this.frozen = false;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const excepted = new Set(options.except);
    const gone = [...this.running.values()].filter(({ pid }) => !excepted.has(pid));
    for (const command of gone) command.markKilled();
    const kept = treesOf(options.except ?? [], allProcesses());
    const doomed = async () => (await this.entries()).filter(({ pid }) => !kept.has(pid));
    const survivors = await withCommands(await doomed());
    const { group } = this.parts;
    await endProcesses(doomed, this.frozen && group !== null ? (pids) => group.releaseToDie(pids) : undefined);
    if (!this.frozen) await Promise.all(gone.map((command) => command.kill()));
    return survivors;
  }

  async facts(): Promise<SandboxFacts> {
    const usage = this.usage ?? (await this.parts.group?.usage()) ?? null;
    return {
      kind: 'local',
      oom: usage === null || usage.oomKills === null ? null : usage.oomKills > 0,
      peakMemoryBytes: usage?.peakMemoryBytes ?? null,
      cpuMs: usage?.cpuMs ?? null,
      diskFull: this.disk?.full ?? null,
      enforced: {
        ...(this.parts.group?.enforced ?? { pids: false, memory: false, cpus: false }),
        disk: false,
        network: false,
        filesystem: false,
      },
    };
  }

  /** The host path behind a guest path; a path under no mount is what it is. */
  guestPath(path: string): string {
    const under = ({ to }: Mount) => path === to || path.startsWith(`${to.replace(/\/+$/, '')}/`);
    const [mount] = this.parts.mounts.filter(under).sort((a, b) => b.to.length - a.to.length);
    return mount === undefined ? path : join(mount.from, path.slice(mount.to.length));
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    await this.disk?.stop();
    if (this.frozen) await this.thaw();
    await endProcesses(() => this.entries());
    await Promise.allSettled([...this.running.values()].map(({ ended }) => ended));
    this.usage = (await this.parts.group?.usage()) ?? null;
    await this.parts.group?.remove();
    await removeSandboxHome(this.parts.home);
  }

  private launch(request: ExecRequest): Promise<RunningCommand> {
    const { parts } = this;
    return startCaptured({
      argv: [
        '/bin/sh',
        '-c',
        ENTER,
        'sh',
        fileBlocks(parts.request.limits.diskBytes),
        ...(parts.group?.joinFiles ?? []),
        '--',
        ...guestArguments(request, (path) => this.guestPath(path)),
      ],
      env: { ...parts.request.env, ...request.env, [parts.home.marker.name]: parts.home.marker.value },
      cwd: this.guestPath(request.cwd ?? parts.request.cwd),
      request,
      folder: join(parts.home.folder, 'streams'),
      owner: null,
      kill: (running) => this.endCommand(running),
      settle: () => this.settle(),
      oomKills: async () => (await parts.group?.usage())?.oomKills ?? null,
    });
  }

  /** What a command leaves behind dies with it, as in the other sandboxes, unless another one still runs. */
  private async settle(): Promise<string[] | null> {
    await this.disk?.look();
    if (this.running.size + this.starting > 1) return null;
    const survivors = await withCommands(await this.entries());
    await endProcesses(() => this.entries());
    return survivors.map(({ command }) => command);
  }

  private async endCommand(running: RunningProcess): Promise<void> {
    // A command that has ended already is in the list no more: then another one's processes must not be swept with it.
    const alone = this.starting === 0 && [...this.running.keys()].every((pid) => pid === running.pid);
    if (alone) await endProcesses(() => this.entries());
    else await endProcesses(async () => livingProcesses(treesOf([running.pid], allProcesses())));
    await running.end(0);
  }

  /** By control group where there is one: nothing leaves it by itself. Otherwise by the marker and by descent. */
  private async entries(): Promise<ProcessEntry[]> {
    const { group, home } = this.parts;
    // A command that is just being started has not joined yet.
    if (group !== null) return livingProcesses(new Set([...(await group.pids()), ...this.running.keys()]));
    const marked = await processesMarked(`${home.marker.name}=${home.marker.value}`);
    const table = allProcesses();
    const wanted = treesOf([...this.running.keys(), ...marked.map(({ pid }) => pid)], table);
    return table.filter(({ pid }) => wanted.has(pid));
  }
}
