import { readControl } from './control-files.js';
import type { ControlGroup } from './control-group.js';
import { findHierarchies } from './hierarchies.js';
import { CONTROLLERS, groupIn as groupInVersion1 } from './version-1.js';
import { groupIn as groupInVersion2 } from './version-2.js';

/**
 * The control group that somebody else (a container engine) made and put this process into.
 * Null where this host shows none: the process is gone or lives on another machine.
 */
export async function groupOfProcess(pid: number, enforced: ControlGroup['enforced']): Promise<ControlGroup | null> {
  const text = await readControl(`/proc/${pid}/cgroup`);
  if (text === null) return null;
  const { v1, v2 } = await findHierarchies();
  const folders = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [number, controllers, ...rest] = line.split(':');
    const path = rest.join(':');
    if (path === '' || path === '/') continue;
    if (number === '0' && v1.size === 0 && v2 !== null) return groupInVersion2(`${v2}${path}`, enforced);
    for (const controller of CONTROLLERS) {
      const mount = v1.get(controller);
      if (mount !== undefined && controllers?.split(',').includes(controller))
        folders.set(controller, `${mount}${path}`);
    }
  }
  return folders.size === 0 ? null : groupInVersion1(folders, enforced);
}
