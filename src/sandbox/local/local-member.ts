import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeControlGroup } from '../cgroups/make-control-group.js';
import type { SandboxMember, SandboxRequest } from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { hostSides } from '../host/host-sides.js';
import { killLeftovers } from '../host/kill-leftovers.js';
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
    const mounts = await hostSides(request, home, null);
    const group = await makeControlGroup(home.name, request.limits);
    return new LocalSandbox({ request, home, group, mounts: await copyForOverlay(mounts, join(home.folder, 'copy')) });
  } catch (thrown) {
    await removeSandboxHome(home);
    throw thrown;
  }
}
