import { delay } from '#kernel/async.js';
import {
  emptyAndRemove,
  readControl,
  readField,
  readNumber,
  readPids,
  tryMakeGroup,
  tryWrite,
} from './control-files.js';
import { type ControlGroup, GROUPS_FOLDER, type GroupLimits, type GroupUsage } from './control-group.js';

export const CONTROLLERS = ['freezer', 'pids', 'memory', 'cpu', 'cpuacct'] as const;
const CPU_PERIOD_US = 100_000;
const FREEZE_ROUNDS = 500;

/** A group in every version-1 hierarchy that lets us; null where not even one does. */
export async function makeVersion1(
  name: string,
  limits: GroupLimits,
  mounts: ReadonlyMap<string, string>,
): Promise<ControlGroup | null> {
  const folders = new Map<string, string>();
  for (const controller of CONTROLLERS) {
    const mount = mounts.get(controller);
    if (mount === undefined) continue;
    const folder = `${mount}/${GROUPS_FOLDER}/${name}`;
    if (await tryMakeGroup(folder)) folders.set(controller, folder);
  }
  if (folders.size === 0) return null;
  return groupIn(folders, await setLimits(folders, limits));
}

/** The group that these folders (by controller) are. */
export function groupIn(folders: ReadonlyMap<string, string>, enforced: ControlGroup['enforced']): ControlGroup {
  const distinct = [...new Set(folders.values())];
  const freezer = folders.get('freezer');
  const thaw = async (): Promise<void> => {
    if (freezer !== undefined) await tryWrite(`${freezer}/freezer.state`, 'THAWED');
  };
  return {
    enforced,
    joinFiles: distinct.map((folder) => `${folder}/cgroup.procs`),
    pids: async () => (distinct[0] === undefined ? [] : readPids(distinct[0])),
    freeze: () => freeze(freezer),
    thaw,
    releaseToDie: (pids) => releaseToDie(freezer, pids),
    usage: () => usage(folders),
    remove: async () => {
      await thaw();
      for (const folder of distinct) await emptyAndRemove(folder);
    },
  };
}

async function setLimits(folders: ReadonlyMap<string, string>, limits: GroupLimits): Promise<ControlGroup['enforced']> {
  const set = async (controller: string, file: string, value: number | null): Promise<boolean> => {
    const folder = folders.get(controller);
    return value !== null && folder !== undefined && (await tryWrite(`${folder}/${file}`, String(Math.ceil(value))));
  };
  const memory = await set('memory', 'memory.limit_in_bytes', limits.memoryBytes);
  // Without the swap limit a group could move what exceeds its memory to the disk; a kernel without swap has no such file.
  await set('memory', 'memory.memsw.limit_in_bytes', limits.memoryBytes);
  await set('cpu', 'cpu.cfs_period_us', CPU_PERIOD_US);
  return {
    pids: await set('pids', 'pids.max', limits.pids),
    memory,
    cpus: await set('cpu', 'cpu.cfs_quota_us', limits.cpus === null ? null : limits.cpus * CPU_PERIOD_US),
  };
}

async function freeze(folder: string | undefined): Promise<boolean> {
  if (folder === undefined || !(await tryWrite(`${folder}/freezer.state`, 'FROZEN'))) return false;
  for (let round = 0; round < FREEZE_ROUNDS; round += 1) {
    if ((await readControl(`${folder}/freezer.state`))?.trim() === 'FROZEN') return true;
    await delay(2);
  }
  return false;
}

/** A frozen process acts on SIGKILL only when thawed: so it is moved to a neighbouring group that is not frozen. */
async function releaseToDie(folder: string | undefined, pids: readonly number[]): Promise<void> {
  if (folder === undefined || pids.length === 0) return;
  const doomed = `${folder}.doomed`;
  if (!(await tryMakeGroup(doomed))) return;
  for (const pid of pids) await tryWrite(`${doomed}/cgroup.procs`, String(pid));
  await emptyAndRemove(doomed);
}

async function usage(folders: ReadonlyMap<string, string>): Promise<GroupUsage> {
  const memory = folders.get('memory');
  const cpu = folders.get('cpuacct');
  const cpuNs = cpu === undefined ? null : await readNumber(`${cpu}/cpuacct.usage`);
  return {
    oomKills: memory === undefined ? null : await readField(`${memory}/memory.oom_control`, 'oom_kill'),
    peakMemoryBytes: memory === undefined ? null : await readNumber(`${memory}/memory.max_usage_in_bytes`),
    cpuMs: cpuNs === null ? null : cpuNs / 1e6,
  };
}
