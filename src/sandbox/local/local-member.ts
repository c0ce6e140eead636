import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeControlGroup } from '../cgroups/make-control-group.js';
import type { Mount, SandboxMember, SandboxRequest } from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { GATEWAY_FOLDER } from '../host/gateway-folder.js';
import { killLeftovers } from '../host/kill-leftovers.js';
import { mountSource } from '../host/own-tree.js';
import { makeSandboxHome, removeSandboxHome } from '../host/sandbox-home.js';
import { LocalSandbox } from './local-sandbox.js';

/** No isolation: for scripted agents that the operator trusts, on machines that have nothing better. */
export const localMember: SandboxMember = {
  kind: 'local',
  probe: async () => ({ kind: 'local', usable: true, reason: null, hint: null, isolating: false, version: null }),
  open: openLocal,
  killByLabel: killLeftovers,
};

async function openLocal(request: SandboxRequest): Promise<LocalSandbox> {
  const home = await makeSandboxHome(request.label);
  try {
    await mkdir(join(home.folder, 'streams'), { mode: 0o700 });
    await mkdir(join(home.folder, 'tmp'), { mode: 0o700 });
    const mounts: Mount[] = [];
    for (const mount of request.mounts) {
      mounts.push({ ...mount, from: await mountSource(mount.from, mount.mode === 'rw') });
    }
    if (!mounts.some(({ to }) => to === '/tmp'))
      mounts.push({ from: join(home.folder, 'tmp'), to: '/tmp', mode: 'rw' });
    if (typeof request.network === 'object')
      mounts.push({ from: request.network.socketDir, to: GATEWAY_FOLDER, mode: 'ro' });
    const group = await makeControlGroup(home.name, request.limits);
    return new LocalSandbox({ request, home, group, mounts: await copyForOverlay(mounts, home.folder) });
  } catch (thrown) {
    await removeSandboxHome(home);
    throw thrown;
  }
}
