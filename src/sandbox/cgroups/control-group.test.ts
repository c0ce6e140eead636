import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unguessableId } from '#kernel/ids.js';
import { plainEnvironment, type RunningProcess, startProcess } from '#process/index.js';
import { readProcess } from '../host/process-table.js';
import type { ControlGroup } from './control-group.js';
import { findHierarchies } from './hierarchies.js';
import { makeVersion1 } from './version-1.js';
import { makeVersion2 } from './version-2.js';

const { v1, v2 } = await findHierarchies();
const NO_LIMITS = { pids: null, memoryBytes: null, cpus: null };
const makers: [string, (() => Promise<ControlGroup | null>) | null][] = [
  ['version 1', v1.has('freezer') ? () => makeVersion1(`test-${unguessableId()}`, NO_LIMITS, v1) : null],
  ['version 2', v2 === null ? null : () => makeVersion2(`test-${unguessableId()}`, NO_LIMITS, v2)],
];

for (const [version, make] of makers) {
  const group = make === null ? null : await make();
  describe.skipIf(group === null)(`control groups of ${version} (skipped where none can be made)`, () => {
    it('lists, freezes, lets the frozen die, thaws and is removed with what is in it', async () => {
      if (group === null) return;
      const [first, second] = [await sleeperIn(group), await sleeperIn(group)];
      expect((await group.pids()).sort()).toEqual([first.pid, second.pid].sort());
      expect(await group.freeze()).toBe(true);
      process.kill(first.pid, 'SIGKILL');
      await group.releaseToDie([first.pid]);
      await first.ended;
      expect(readProcess(second.pid)).not.toBeNull();
      await group.thaw();
      expect(group.enforced).toEqual({ pids: false, memory: false, cpus: false });
      await group.remove();
      await second.ended;
      for (const file of group.joinFiles) expect(existsSync(file)).toBe(false);
      await group.remove();
    });
  });
}

async function sleeperIn(group: ControlGroup): Promise<RunningProcess> {
  const line = 'for file; do echo 0 > "$file"; done; exec sleep 1000';
  const running = await startProcess({ argv: ['sh', '-c', line, 'sh', ...group.joinFiles], env: plainEnvironment() });
  while (!(await group.pids()).includes(running.pid) || readProcess(running.pid)?.name !== 'sleep');
  return running;
}
