import { readdir } from 'node:fs/promises';
import { errorCodeOf } from '#kernel/faults.js';
import { emptyAndRemove, tryWrite } from './control-files.js';
import { type ControlGroup, GROUPS_FOLDER, type GroupLimits } from './control-group.js';
import { findHierarchies } from './hierarchies.js';
import { makeVersion1 } from './version-1.js';
import { makeVersion2 } from './version-2.js';

/**
 * Makes the control group of one sandbox: version 1 where its controllers are mounted, otherwise version 2.
 * Null where this user or this machine cannot have any.
 */
export async function makeControlGroup(name: string, limits: GroupLimits): Promise<ControlGroup | null> {
  const { v1, v2 } = await findHierarchies();
  if (v1.has('pids') || v1.has('freezer')) return makeVersion1(name, limits, v1);
  return v2 === null ? null : makeVersion2(name, limits, v2);
}

/** Kills and removes every group whose name begins so; returns how many processes there were. */
export async function removeControlGroups(namePrefix: string): Promise<number> {
  const { v1, v2 } = await findHierarchies();
  let killed = 0;
  for (const mount of new Set([...v1.values(), ...(v2 === null ? [] : [v2])])) {
    const parent = `${mount}/${GROUPS_FOLDER}`;
    for (const name of await namesIn(parent)) {
      if (!name.startsWith(namePrefix)) continue;
      await tryWrite(`${parent}/${name}/freezer.state`, 'THAWED');
      await tryWrite(`${parent}/${name}/cgroup.freeze`, '0');
      killed += await emptyAndRemove(`${parent}/${name}`);
    }
  }
  return killed;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}
