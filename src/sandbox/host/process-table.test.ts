import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, startProcess } from '#process/index.js';
import { processesMarked, withCommands } from './process-memory.js';
import { killProcess, livingProcesses, readProcess, realUidOf, treesOf } from './process-table.js';

describe('the process table', () => {
  it('reads a process whose name holds brackets and blanks, and knows when it is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'process-table-'));
    const argv = ['sh', '-c', 'cp /bin/sleep "$1/a) R (b" && exec "$1/a) R (b" 1000', 'sh', folder];
    const running = await startProcess({ argv, env: { ...plainEnvironment(), MARK: 'process-table-test' } });
    try {
      let seen = readProcess(running.pid);
      while (seen !== null && seen.name !== 'a) R (b') seen = readProcess(running.pid);
      expect(seen).toMatchObject({ pid: running.pid, parent: process.pid });
      expect(seen === null ? [] : await withCommands([seen])).toMatchObject([
        { command: expect.stringMatching(/a\) R \(b 1000$/) },
      ]);
      expect(realUidOf(running.pid)).toBe(process.getuid?.());
      expect((await processesMarked('MARK=process-table-test')).map(({ pid }) => pid)).toEqual([running.pid]);
    } finally {
      await running.end();
      await rm(folder, { recursive: true });
    }
    expect(readProcess(running.pid)).toBeNull();
    expect(realUidOf(running.pid)).toBeNull();
    expect(livingProcesses([running.pid])).toEqual([]);
    expect(killProcess(running.pid)).toBe(true);
  });

  it('finds exactly the descendants, also where the table holds a circle', () => {
    const pid = fc.integer({ min: 2, max: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(pid, pid), { maxLength: 20 }), pid, (pairs, root) => {
        const table = pairs.map(([own, parent]) => ({ pid: own, parent, state: 'S', startTicks: 0, name: '' }));
        const found = treesOf([root], table);
        expect(found.has(root)).toBe(true);
        for (const entry of table) if (found.has(entry.parent)) expect(found.has(entry.pid)).toBe(true);
        for (const one of found) {
          const reached = one === root || table.some((entry) => entry.pid === one && found.has(entry.parent));
          expect(reached).toBe(true);
        }
      }),
    );
  });
});
