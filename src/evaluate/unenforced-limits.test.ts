import { describe, expect, it } from 'vitest';
import { unenforcedLimits } from './unenforced-limits.js';

describe('limits that nobody enforces', () => {
  it('are those that were asked for and that the kernel does not hold', () => {
    const enforced = { pids: true, memory: false, cpus: false, disk: false, network: true, filesystem: true };
    expect(unenforcedLimits({ pids: 10, memoryBytes: 1, cpus: null, diskBytes: 1 }, enforced)).toEqual([
      'memory',
      'disk',
    ]);
    expect(unenforcedLimits({ pids: null, memoryBytes: null, cpus: null, diskBytes: null }, enforced)).toEqual([]);
  });
});
