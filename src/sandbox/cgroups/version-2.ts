import { delay } from '#kernel/async.js';
import { emptyAndRemove, readField, readNumber, readPids, tryMakeGroup, tryWrite } from './control-files.js';
import { type ControlGroup, GROUPS_FOLDER, type GroupLimits, type GroupUsage } from './control-group.js';

const CPU_PERIOD_US = 100_000;
const FREEZE_ROUNDS = 500;

/** A group in the version-2 hierarchy; null where we may not make one. */
export async function makeVersion2(name: string, limits: GroupLimits, mount: string): Promise<ControlGroup | null> {
  const parent = `${mount}/${GROUPS_FOLDER}`;
  const folder = `${parent}/${name}`;
  // Each level hands its controllers down by name; one that the machine does not offer is refused alone.
  for (const level of [mount, parent]) {
    if (level === parent && !(await tryMakeGroup(parent))) return null;
    for (const controller of ['pids', 'memory', 'cpu'])
      await tryWrite(`${level}/cgroup.subtree_control`, `+${controller}`);
  }
  if (!(await tryMakeGroup(folder))) return null;
  return groupIn(folder, await setLimits(folder, limits));
}

/** The group that this folder is. */
export function groupIn(folder: string, enforced: ControlGroup['enforced']): ControlGroup {
  return {
    enforced,
    joinFiles: [`${folder}/cgroup.procs`],
    pids: () => readPids(folder),
    freeze: () => freeze(folder),
    thaw: async () => {
      await tryWrite(`${folder}/cgroup.freeze`, '0');
    },
    // Version 2 lets the frozen die by themselves.
    releaseToDie: async () => undefined,
    usage: () => usage(folder),
    remove: async () => {
      await tryWrite(`${folder}/cgroup.freeze`, '0');
      await tryWrite(`${folder}/cgroup.kill`, '1');
      await emptyAndRemove(folder);
    },
  };
}

async function setLimits(folder: string, limits: GroupLimits): Promise<ControlGroup['enforced']> {
  const set = async (file: string, value: string | null): Promise<boolean> =>
    value !== null && (await tryWrite(`${folder}/${file}`, value));
  const memory = await set('memory.max', limits.memoryBytes === null ? null : String(limits.memoryBytes));
  if (memory) await set('memory.swap.max', '0');
  const quota = limits.cpus === null ? null : `${Math.ceil(limits.cpus * CPU_PERIOD_US)} ${CPU_PERIOD_US}`;
  return {
    pids: await set('pids.max', limits.pids === null ? null : String(limits.pids)),
    memory,
    cpus: await set('cpu.max', quota),
  };
}

async function freeze(folder: string): Promise<boolean> {
  if (!(await tryWrite(`${folder}/cgroup.freeze`, '1'))) return false;
  for (let round = 0; round < FREEZE_ROUNDS; round += 1) {
    if ((await readField(`${folder}/cgroup.events`, 'frozen')) === 1) return true;
    await delay(2);
  }
  return false;
}

async function usage(folder: string): Promise<GroupUsage> {
  const cpuUs = await readField(`${folder}/cpu.stat`, 'usage_usec');
  return {
    oomKills: await readField(`${folder}/memory.events`, 'oom_kill'),
    peakMemoryBytes: await readNumber(`${folder}/memory.peak`),
    cpuMs: cpuUs === null ? null : cpuUs / 1000,
  };
}
