import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount, SandboxRequest } from '../contract.js';
import { gatewayMounts } from './gateway-forwarding.js';
import { mountSource, ownTrees, writablePaths } from './own-tree.js';
import type { SandboxHome } from './sandbox-home.js';

/**
 * The request's mounts with real host paths, plus scratch space for /tmp and the gateway's folder; what is writable is
 * given to the sandbox's user (null: it runs as we are).
 */
export async function hostSides(request: SandboxRequest, home: SandboxHome, uid: number | null): Promise<Mount[]> {
  const mounts: Mount[] = [...request.mounts, ...gatewayMounts(request.network)];
  if (!mounts.some(({ to }) => to === '/tmp')) {
    const scratch = join(home.folder, 'tmp');
    await mkdir(scratch, { mode: 0o700 });
    mounts.push({ from: scratch, to: '/tmp', mode: 'rw' });
  }
  const real: Mount[] = [];
  for (const mount of mounts) real.push({ ...mount, from: await mountSource(mount.from, mount.mode === 'rw') });
  if (uid !== null) await ownTrees(writablePaths(real), uid);
  return real;
}
