import { Fault } from '#kernel/faults.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import type { Mount } from '../contract.js';

/**
 * Without root there is no overlay file system: such mounts become copies that are dropped with the sandbox.
 * @param prefix of the copies' paths
 */
export async function copyForOverlay(mounts: readonly Mount[], prefix: string): Promise<Mount[]> {
  const copied: Mount[] = [];
  for (const [index, mount] of mounts.entries()) {
    if (mount.mode !== 'overlay') {
      copied.push(mount);
      continue;
    }
    const copy = `${prefix}-overlay-${index}`;
    const result = await runProcess({
      argv: ['cp', '-a', '--reflink=auto', '--', mount.from, copy],
      env: plainEnvironment(),
      cwd: '/',
    });
    if (result.exitCode !== 0) {
      throw new Fault({
        code: 'overlay-not-copied',
        kind: 'environment',
        message: `cannot copy ${mount.from} for a sandbox: ${result.stderr.toString('utf8').slice(0, 500)}`,
        hint: 'Free disk space, or mount it read-only.',
      });
    }
    copied.push({ from: copy, to: mount.to, mode: 'rw' });
  }
  return copied;
}
