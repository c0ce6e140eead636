import { join } from 'node:path';
import type { RunningProcess } from '#process/index.js';
import { startCaptured } from '../captured/start-captured.js';
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
import { endProcesses, signalProcesses } from '../host/end-processes.js';
import { allProcesses, livingProcesses, type ProcessEntry, processesMarked, treesOf } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';

export interface LocalParts {
  request: SandboxRequest;
  home: SandboxHome;
  group: ControlGroup | null;
  /** Host paths behind guest paths. */
  mounts: readonly Mount[];
}

// Joins the control groups, takes the process limit as a soft floor where there is no group, and becomes the command.
const ENTER = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';

/** Runs commands as plain processes of ours: no isolation at all. Only for programs that the operator trusts. */
export class LocalSandbox implements Sandbox {
  readonly kind = 'local';
  private readonly running = new Map<number, SandboxProcess>();
  private usage: Awaited<ReturnType<ControlGroup['usage']>> | null = null;
  private closing: Promise<void> | null = null;
  private frozen = false;

  constructor(private readonly parts: LocalParts) {}

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    const { parts } = this;
    const child = await startCaptured({
      argv: ['/bin/sh', '-c', ENTER, 'sh', ...(parts.group?.joinFiles ?? []), '--', ...request.argv],
      env: { ...parts.request.env, ...request.env, [parts.home.marker.name]: parts.home.marker.value },
      cwd: this.guestPath(request.cwd ?? parts.request.cwd),
      request,
      folder: join(parts.home.folder, 'streams'),
      owner: null,
      kill: (running) => this.endCommand(running),
      oomKills: async () => (await parts.group?.usage())?.oomKills ?? null,
    });
    const ended = child.ended.then(async (result) => {
      this.running.delete(child.pid);
      // As in the other sandboxes: what a command leaves behind dies with it, unless another one still runs.
      if (this.running.size === 0) await endProcesses(() => this.entries());
      return result;
    });
    const command: SandboxProcess = { pid: child.pid, ended, kill: () => child.kill() };
    this.running.set(child.pid, command);
    return command;
  }

  async processes(): Promise<GuestProcess[]> {
    return (await this.entries()).map(({ pid, command }) => ({ pid, command }));
  }

  async freeze(): Promise<void> {
    this.frozen = (await this.parts.group?.freeze()) === true;
    if (!this.frozen) signalProcesses(await this.entries(), 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    if (this.frozen) await this.parts.group?.thaw();
    else signalProcesses(await this.entries(), 'SIGCONT');
    this.frozen = false;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const kept = treesOf(options.except ?? [], allProcesses());
    const doomed = async () => (await this.entries()).filter(({ pid }) => !kept.has(pid));
    const survivors = await doomed();
    await endProcesses(doomed, async (pids) => {
      if (this.frozen) await this.parts.group?.releaseToDie(pids);
    });
    return survivors.map(({ pid, command }) => ({ pid, command }));
  }

  async facts(): Promise<SandboxFacts> {
    const usage = this.usage ?? (await this.parts.group?.usage()) ?? null;
    return {
      kind: 'local',
      oom: usage === null || usage.oomKills === null ? null : usage.oomKills > 0,
      peakMemoryBytes: usage?.peakMemoryBytes ?? null,
      cpuMs: usage?.cpuMs ?? null,
      diskFull: null,
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
    if (this.frozen) await this.thaw();
    await endProcesses(() => this.entries());
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    this.usage = (await this.parts.group?.usage()) ?? null;
    await this.parts.group?.remove();
    await removeSandboxHome(this.parts.home);
  }

  private async endCommand(running: RunningProcess): Promise<void> {
    if (this.running.size <= 1) await endProcesses(() => this.entries());
    else await endProcesses(async () => livingProcesses(treesOf([running.pid], allProcesses())));
    await running.end(0);
  }

  /** By control group where there is one; by the marker in the environment; by descent. */
  private async entries(): Promise<ProcessEntry[]> {
    const grouped = (await this.parts.group?.pids()) ?? [];
    const marked = processesMarked(`${this.parts.home.marker.name}=${this.parts.home.marker.value}`);
    const table = allProcesses();
    const below = treesOf(this.running.keys(), table);
    const wanted = new Set([...grouped, ...marked.map(({ pid }) => pid), ...below]);
    return table.filter(({ pid }) => wanted.has(pid));
  }
}
