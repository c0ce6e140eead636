import { mkdir, writeFile } from 'node:fs/promises';
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
import { planStage, stageArguments } from './stage-plan.js';
import { type Holder, holdStage, isReachable, STAGE } from './staging.js';

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
    holder = staged?.holder ?? null;
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
      mounts: staged?.view ?? (await copyForOverlay(mounts, join(home.folder, 'copy'))),
      written: mounts.filter(({ mode }) => mode !== 'ro').map(({ from }) => from),
    });
  } catch (thrown) {
    await holder?.end();
    await removeSandboxHome(home);
    throw thrown;
  }
}

/** Stages what the user could not reach otherwise, and gives the mounts as bubblewrap then finds them. */
async function stageMounts(
  mounts: readonly Mount[],
  home: SandboxHome,
  uid: number,
): Promise<{ holder: Holder; view: Mount[] }> {
  const direct: Mount[] = [];
  const staged: Mount[] = [];
  for (const mount of mounts) {
    (mount.mode !== 'overlay' && (await isReachable(mount.from)) ? direct : staged).push(mount);
  }
  const plan = await planStage(staged, STAGE, home.folder);
  const table = join(home.folder, 'stage.table');
  await writeFile(table, plan.table, { mode: 0o600 });
  const holder = await holdStage(stageArguments(plan, STAGE, table, uid));
  return { holder, view: [...direct, ...plan.view] };
}
