import { readFile } from 'node:fs/promises';
import { errorCodeOf } from '#kernel/faults.js';

/** Where this machine mounts its control groups. */
export interface Hierarchies {
  /** Version 1: controller name (`pids`, `memory`, `cpu`, `cpuacct`, `freezer`) to mount point. */
  v1: ReadonlyMap<string, string>;
  /** Version 2's mount point. */
  v2: string | null;
}

/** Reads /proc/self/mountinfo; both are empty where there are no control groups. */
export async function findHierarchies(): Promise<Hierarchies> {
  let text: string;
  try {
    text = await readFile('/proc/self/mountinfo', 'latin1');
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return { v1: new Map(), v2: null };
    throw thrown;
  }
  const v1 = new Map<string, string>();
  let v2: string | null = null;
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4];
    const [type, , options = ''] = after.split(' ');
    if (place === undefined) continue;
    if (type === 'cgroup2') v2 ??= place;
    if (type !== 'cgroup') continue;
    for (const option of options.split(',')) {
      if (!v1.has(option)) v1.set(option, place);
    }
  }
  return { v1, v2 };
}
