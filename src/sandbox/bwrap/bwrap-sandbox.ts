import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '#kernel/async.js';
import { Fault } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { plainEnvironment, type RunningProcess } from '#process/index.js';
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
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { DiskWatch } from '../host/disk-watch.js';
import { signalProcesses, stopProcesses } from '../host/end-processes.js';
import { guestArguments } from '../host/gateway-forwarding.js';
import { mountSource, ownTrees, writablePaths } from '../host/own-tree.js';
import { processLimits } from '../host/process-limits.js';
import { withCommands } from '../host/process-memory.js';
import { killProcess, type ProcessEntry, readProcess } from '../host/process-table.js';
import { removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';
import { bwrapArguments } from './bwrap-arguments.js';
import { launcherLine } from './launcher.js';
import { initOf, keptTrees, processesBelow } from './namespace-processes.js';
import { planStage, stageArguments } from './stage-plan.js';
import { FURTHER_STAGE, type Holder } from './staging.js';

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

/** Names of survivors that a result carries at most: a fork bomb leaves thousands. */
const MOST_SURVIVORS = 100;

const BIRTH_ROUNDS = 200;
const BIRTH_PAUSE_MS = 10;

/** Every command is a bubblewrap of its own, with its own process and network namespaces; files and limits are shared. */
export class BwrapSandbox implements Sandbox {
  readonly kind = 'bwrap';
  private readonly running = new Map<number, RunningCommand>();
  private usage: { oomKills: number | null; peakMemoryBytes: number | null; cpuMs: number | null } | null = null;
  private closing: Promise<void> | null = null;
  private frozen = false;
  private readonly disk: DiskWatch | null;
  /** What stands in for a control group. */
  private readonly soleLimits: readonly string[];

  constructor(private readonly parts: BwrapParts) {
    const { limits } = parts.request;
    const { diskBytes } = limits;
    this.soleLimits = processLimits(limits, parts.group?.enforced ?? { pids: false, memory: false });
    // Whatever survives a failing kill here is met again by the end of its command and by the close.
    const endAll = (): void => void this.killAll().catch(() => undefined);
    this.disk = diskBytes === null ? null : new DiskWatch(parts.written, diskBytes, endAll);
  }

  async exec(request: ExecRequest): Promise<ExecResult> {
    return (await this.start(request)).ended;
  }

  async start(request: ExecRequest): Promise<SandboxProcess> {
    const { parts } = this;
    const files = join(parts.home.folder, 'streams', unguessableId());
    const further = await this.furtherMounts(request.mounts ?? [], files);
    const args = bwrapArguments({
      etc: parts.etc,
      etcShared: parts.etcShared,
      mounts: [...parts.mounts, ...further.view],
      env: { ...parts.request.env, ...request.env },
      cwd: request.cwd ?? parts.request.cwd,
      sharesNetwork: parts.request.network === 'host',
    });
    await writeFile(`${files}.args`, args.map((arg) => `${arg}\0`).join(''), { mode: 0o600 });
    await writeFile(`${files}.status`, '', { mode: 0o600 });
    const { holder, uid } = parts;
    const command = await startCaptured({
      argv: launcherLine({
        argumentsFile: `${files}.args`,
        statusFile: `${files}.status`,
        joinFiles: parts.group?.joinFiles ?? [],
        maxFileBytes: parts.request.limits.diskBytes,
        drop: holder === null || uid === null ? null : { holderPid: holder.pid, uid, furtherStage: further.stage },
        argv: [...this.soleLimits, ...guestArguments(request, (path) => this.guestPath(path))],
      }),
      env: { ...plainEnvironment(), [parts.home.marker.name]: parts.home.marker.value },
      cwd: '/',
      request,
      folder: join(parts.home.folder, 'streams'),
      owner: uid,
      kill: killNamespace,
      settle: async () => {
        for (const left of [`${files}.args`, `${files}.table`, files]) await rm(left, { recursive: true, force: true });
        await this.disk?.look();
        return readStatus(`${files}.status`);
      },
      oomKills: async () => (await parts.group?.usage())?.oomKills ?? null,
    });
    this.running.set(command.pid, command);
    const ended = command.ended.then((result) => mustHaveStarted(result));
    void ended.finally(() => this.running.delete(command.pid)).catch(() => undefined);
    return { ...command, ended };
  }

  async processes(): Promise<GuestProcess[]> {
    return withCommands(this.guests());
  }

  async freeze(): Promise<void> {
    if (this.parts.group !== null && (await this.parts.group.freeze())) {
      this.frozen = true;
      return;
    }
    await stopProcesses(async () => this.guests());
  }

  async thaw(): Promise<void> {
    if (this.frozen) await this.parts.group?.thaw();
    else signalProcesses(this.guests(), 'SIGCONT');
    this.frozen = false;
  }

  async killAll(options: { except?: readonly number[] } = {}): Promise<GuestProcess[]> {
    const excepted = new Set(options.except);
    const gone = [...this.running.values()].filter(({ pid }) => !excepted.has(pid));
    for (const command of gone) command.markKilled();
    const kept = keptTrees(options.except ?? []);
    const survivors = await withCommands(this.guests().filter(({ pid }) => !kept.has(pid)));
    for (const { pid } of survivors) killProcess(pid);
    if (this.frozen) await this.parts.group?.releaseToDie(survivors.map(({ pid }) => pid));
    if (!this.frozen) await Promise.all(gone.map((command) => command.kill()));
    return survivors;
  }

  async facts(): Promise<SandboxFacts> {
    const usage = this.usage ?? (await this.parts.group?.usage()) ?? null;
    const { limits } = this.parts.request;
    const enforced = this.parts.group?.enforced ?? { pids: false, memory: false, cpus: false };
    // Without a group the kernel still counts each command's processes, in a user namespace of their own.
    const pids = enforced.pids || (limits.pids !== null && this.soleLimits.length > 0);
    return {
      kind: 'bwrap',
      oom: usage?.oomKills == null ? null : usage.oomKills > 0,
      peakMemoryBytes: usage?.peakMemoryBytes ?? null,
      cpuMs: usage?.cpuMs ?? null,
      diskFull: this.disk?.full ?? null,
      enforced: { ...enforced, pids, disk: false, network: this.parts.request.network !== 'host', filesystem: true },
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
    if (this.frozen) await this.thaw();
    await Promise.all([...this.running.values()].map((command) => command.kill()));
    this.usage = (await this.parts.group?.usage()) ?? null;
    await this.parts.group?.remove();
    await this.parts.holder?.end();
    await removeSandboxHome(this.parts.home);
  }

  private guests(): ProcessEntry[] {
    return processesBelow(this.running.keys());
  }

  /** A command's own mounts, as bubblewrap finds them once `stage` is made. */
  private async furtherMounts(
    mounts: readonly Mount[],
    files: string,
  ): Promise<{ view: Mount[]; stage: string[] | null }> {
    const { uid } = this.parts;
    const real: Mount[] = [];
    for (const mount of mounts) real.push({ ...mount, from: await mountSource(mount.from, mount.mode === 'rw') });
    if (uid === null) return { view: await copyForOverlay(real, files), stage: null };
    if (real.length === 0) return { view: [], stage: null };
    await ownTrees(writablePaths(real), uid);
    await mkdir(files, { mode: 0o700 });
    const plan = await planStage(real, FURTHER_STAGE, files);
    await writeFile(`${files}.table`, plan.table, { mode: 0o600 });
    return { view: plan.view, stage: stageArguments(plan, FURTHER_STAGE, `${files}.table`, uid) };
  }
}

/**
 * Kills the namespace's first process: the kernel ends all others before bubblewrap learns of it, so `ended` means empty.
 * A launch that has only begun is given the time to make its namespace: killing the launcher alone could miss what it makes.
 */
async function killNamespace(running: RunningProcess): Promise<void> {
  for (let round = 0; round < BIRTH_ROUNDS && readProcess(running.pid) !== null; round += 1) {
    const init = initOf(running.pid);
    if (init !== null && killProcess(init)) return;
    await delay(BIRTH_PAUSE_MS);
  }
  await running.end(0);
}

/** What the guest side reported: null where it never came to run. */
async function readStatus(file: string): Promise<string[] | null> {
  const lines = (await readFile(file, 'latin1')).split('\n');
  await rm(file);
  if (lines[0] !== 'started') return null;
  return lines.flatMap((line) => survivorOf(line) ?? []).slice(0, MOST_SURVIVORS);
}

/** `left <stat line>`: the name stands in brackets; what is dead already (Z) is no survivor. */
function survivorOf(line: string): string | null {
  const [, name, state] = /^left \d+ \((.*)\) (.) /.exec(line) ?? [];
  return name === undefined || state === 'Z' || state === 'X' ? null : name;
}

/** A command that the harness killed may have died before it ran; any other that never ran is our failure. */
function mustHaveStarted(result: ExecResult): ExecResult {
  if (result.survivors !== null || result.exitCode === null) return result;
  throw new Fault({
    code: 'sandbox-not-started',
    kind: 'environment',
    message: `bubblewrap could not set up the sandbox: ${result.stderr.toString('utf8').trim().slice(0, 1000)}`,
    hint: 'Run `featurearc doctor`; the message names the mount or namespace that failed.',
  });
}
