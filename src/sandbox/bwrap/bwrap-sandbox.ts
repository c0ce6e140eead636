import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { plainEnvironment, type RunningProcess } from '#process/index.js';
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
import { signalProcesses } from '../host/end-processes.js';
import { mountSource, ownTree } from '../host/own-tree.js';
import { killProcess } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';
import { bwrapArguments } from './bwrap-arguments.js';
import { launcherLine, MORE_STAGE } from './launcher.js';
import { initOf, keptTrees, processesBelow } from './namespace-processes.js';
import type { Holder, StagedMount } from './staging.js';

export interface BwrapParts {
  request: SandboxRequest;
  home: SandboxHome;
  /** Kernel uid of what runs inside; null: our own. */
  uid: number | null;
  holder: Holder | null;
  group: ControlGroup | null;
  etc: string;
  etcShared: readonly string[];
  /** As bubblewrap finds them. */
  mounts: readonly Mount[];
  /** Host paths whose size counts against the disk limit. */
  written: readonly string[];
}

/** Every command is a bubblewrap of its own, with its own process and network namespaces; files and limits are shared. */
export class BwrapSandbox implements Sandbox {
  readonly kind = 'bwrap';
  private readonly running = new Map<number, SandboxProcess>();
  private usage: { oomKills: number | null; peakMemoryBytes: number | null; cpuMs: number | null } | null = null;
  private closing: Promise<void> | null = null;
  private frozen = false;

  constructor(private readonly parts: BwrapParts) {}

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    const { parts } = this;
    const files = join(parts.home.folder, 'streams', unguessableId());
    const further = await this.furtherMounts(request.mounts ?? []);
    const args = bwrapArguments({
      etc: parts.etc,
      etcShared: parts.etcShared,
      mounts: [...parts.mounts, ...further.view],
      env: { ...parts.request.env, ...request.env },
      cwd: request.cwd ?? parts.request.cwd,
    });
    await writeFile(`${files}.args`, args.map((arg) => `${arg}\0`).join(''), { mode: 0o600 });
    const { holder, uid } = parts;
    const child = await startCaptured({
      argv: launcherLine({
        argumentsFile: `${files}.args`,
        statusFile: `${files}.status`,
        joinFiles: parts.group?.joinFiles ?? [],
        drop: holder === null || uid === null ? null : { holderPid: holder.pid, uid, more: further.stage },
        argv: request.argv,
      }),
      env: { ...plainEnvironment(), [parts.home.marker.name]: parts.home.marker.value },
      cwd: '/',
      request,
      folder: join(parts.home.folder, 'streams'),
      owner: uid,
      kill: killNamespace,
      oomKills: async () => (await parts.group?.usage())?.oomKills ?? null,
    });
    const ended = child.ended.then(async (result) => {
      this.running.delete(child.pid);
      await mustHaveStarted(`${files}.status`, result);
      await rm(`${files}.args`, { force: true });
      return result;
    });
    // Whoever only starts and kills must not be hit by an unhandled rejection.
    ended.catch(() => undefined);
    const command: SandboxProcess = { pid: child.pid, ended, kill: () => child.kill() };
    this.running.set(child.pid, command);
    return command;
  }

  async processes(): Promise<GuestProcess[]> {
    return processesBelow(this.running.keys());
  }

  async freeze(): Promise<void> {
    if (this.parts.group !== null && (await this.parts.group.freeze())) {
      this.frozen = true;
      return;
    }
    signalProcesses(await this.processes(), 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    if (this.frozen) await this.parts.group?.thaw();
    else signalProcesses(await this.processes(), 'SIGCONT');
    this.frozen = false;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const kept = keptTrees(options.except ?? []);
    const survivors = (await this.processes()).filter(({ pid }) => !kept.has(pid));
    for (const { pid } of survivors) killProcess(pid);
    if (this.frozen) await this.parts.group?.releaseToDie(survivors.map(({ pid }) => pid));
    const excepted = new Set(options.except);
    const gone = [...this.running.values()].filter(({ pid }) => !excepted.has(pid));
    if (!this.frozen) await Promise.all(gone.map((command) => command.kill()));
    return survivors;
  }

  async facts(): Promise<SandboxFacts> {
    const usage = this.usage ?? (await this.parts.group?.usage()) ?? null;
    const enforced = this.parts.group?.enforced ?? { pids: false, memory: false, cpus: false };
    return {
      kind: 'bwrap',
      oom: usage?.oomKills == null ? null : usage.oomKills > 0,
      peakMemoryBytes: usage?.peakMemoryBytes ?? null,
      cpuMs: usage?.cpuMs ?? null,
      diskFull: null,
      enforced: { ...enforced, disk: false, network: true, filesystem: true },
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
    if (this.frozen) await this.thaw();
    await Promise.all([...this.running.values()].map((command) => command.kill()));
    this.usage = (await this.parts.group?.usage()) ?? null;
    await this.parts.group?.remove();
    await this.parts.holder?.end();
    await removeSandboxHome(this.parts.home);
  }

  private async furtherMounts(mounts: readonly Mount[]): Promise<{ view: Mount[]; stage: StagedMount[] }> {
    const view: Mount[] = [];
    const stage: StagedMount[] = [];
    for (const [index, mount] of mounts.entries()) {
      const from = await mountSource(mount.from, mount.mode !== 'ro');
      if (this.parts.uid === null) {
        view.push({ ...mount, from });
        continue;
      }
      if (mount.mode === 'rw') await ownTree(from, this.parts.uid);
      const place = `${MORE_STAGE}/${index}`;
      stage.push({ from, place, mode: mount.mode, upper: null, work: null });
      view.push({ ...mount, from: place });
    }
    return { view, stage };
  }
}

/** Kills the namespace's first process: the kernel ends all others before bubblewrap learns of it, so `ended` means empty. */
async function killNamespace(running: RunningProcess): Promise<void> {
  const init = initOf(running.pid);
  if (init === null || !killProcess(init)) await running.end(0);
}

async function mustHaveStarted(statusFile: string, result: ExecResult): Promise<void> {
  const status = await readFile(statusFile, 'latin1');
  await rm(statusFile, { force: true });
  if (status.startsWith('started') || result.exitCode === null) return;
  throw new Fault({
    code: 'sandbox-not-started',
    kind: 'environment',
    message: `bubblewrap could not set up the sandbox: ${result.stderr.toString('utf8').trim().slice(0, 1000)}`,
    hint: 'Run `featurearc doctor`; the message names the mount or namespace that failed.',
  });
}
