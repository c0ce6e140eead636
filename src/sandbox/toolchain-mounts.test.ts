import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolchainMounts } from './toolchain-mounts.js';

describe('toolchainMounts', () => {
  it('names existing folders, read-only, each at its own path, and never a whole home', () => {
    const { mounts } = toolchainMounts();
    for (const { from, to, mode } of mounts) {
      expect(existsSync(from)).toBe(true);
      expect(to).toBe(from);
      expect(mode).toBe('ro');
      expect(from).not.toBe(process.env.HOME);
      expect(from.split('/').length).toBeGreaterThan(2);
    }
  });

  it('finds node first on the path inside', () => {
    const places = (toolchainMounts().env.PATH ?? '').split(':');
    const first = places.find((place) => existsSync(join(place, 'node')));
    expect(first).toBe(places[0]);
    expect(places).toContain('/usr/bin');
  });
});
