import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeControlGroup } from '../cgroups/make-control-group.js';
import type { Mount, SandboxRequest } from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { writeGuestEtc } from '../host/guest-etc.js';
import { nextGuestKernelUid } from '../host/guest-user.js';
import { hostSides } from '../host/host-sides.js';
import { makeSandboxHome, removeSandboxHome, type SandboxHome } from '../host/sandbox-home.js';
import { GUEST_UID } from './bwrap-arguments.js';
import { BwrapSandbox } from './bwrap-sandbox.js';
import { MORE_STAGE } from './launcher.js';
import { type Holder, holdStage, isReachable, STAGE, type StagedMount } from './staging.js';

/** Processes of bubblewrap's own for each running command: they count against the limit of the kernel. */
const OWN_PROCESSES = 4;

/** Opens a bubblewrap sandbox: as root by dropping to an unused user first, otherwise as the user we are. */
export async function openBwrap(request: SandboxRequest): Promise<BwrapSandbox> {
  const root = process.getuid?.() === 0;
  const uid = root ? nextGuestKernelUid() : null;
  const home = await makeSandboxHome(request.label);
  let holder: Holder | null = null;
  try {
    const etc = join(home.folder, 'etc');
    const etcShared = await writeGuestEtc(etc, GUEST_UID);
    await mkdir(join(home.folder, 'streams'), { mode: 0o700 });
    const mounts = await hostSides(request, home, uid);
    const staged = uid === null ? null : await stageMounts(mounts, home, uid);
    if (staged !== null && uid !== null) holder = await holdStage(staged.stage, uid);
    const group = await makeControlGroup(home.name, {
      ...request.limits,
      pids: request.limits.pids === null ? null : request.limits.pids + OWN_PROCESSES,
    });
    return new BwrapSandbox({
      request,
      home,
      uid,
      holder,
      group,
      etc,
      etcShared,
      mounts: staged?.view ?? (await copyForOverlay(mounts, home.folder)),
      written: mounts.filter(({ mode }) => mode !== 'ro').map(({ from }) => from),
    });
  } catch (thrown) {
    await holder?.end();
    await removeSandboxHome(home);
    throw thrown;
  }
}

/** What must be bound for the user to reach it, and the mounts as bubblewrap then finds them. */
async function stageMounts(
  mounts: readonly Mount[],
  home: SandboxHome,
  uid: number,
): Promise<{ stage: StagedMount[]; view: Mount[] }> {
  const stage: StagedMount[] = [];
  const view: Mount[] = [];
  for (const [index, mount] of mounts.entries()) {
    if (mount.mode !== 'overlay' && (await isReachable(mount.from))) {
      view.push(mount);
      continue;
    }
    const place = `${STAGE}/${index}`;
    const upper = mount.mode === 'overlay' ? join(home.folder, `upper-${index}`) : null;
    const work = mount.mode === 'overlay' ? join(home.folder, `work-${index}`) : null;
    if (upper !== null && work !== null) {
      await mkdir(upper, { mode: 0o755 });
      await mkdir(work, { mode: 0o755 });
      await chown(upper, uid, uid);
    }
    stage.push({ from: mount.from, place, mode: mount.mode, upper, work });
    view.push({ ...mount, from: place });
  }
  // The empty place over which a single command's further mounts are staged.
  stage.push({ from: join(home.folder, 'etc'), place: MORE_STAGE, mode: 'ro', upper: null, work: null });
  return { stage, view };
}
