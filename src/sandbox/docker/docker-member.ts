import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault, messageOf } from '#kernel/faults.js';
import { isStampDead, ownStamp } from '#store/index.js';
import type { Limits, SandboxMember, SandboxProbe, SandboxRequest } from '../contract.js';
import { writeGuestEtc } from '../host/guest-etc.js';
import { nextGuestKernelUid } from '../host/guest-user.js';
import { hostSides } from '../host/host-sides.js';
import { makeSandboxHome, namePrefixOf, removeSandboxHome, removeSandboxHomes } from '../host/sandbox-home.js';
import { removeContainer, STREAMS_FOLDER } from './container.js';
import type { ContainerPlan } from './container-settings.js';
import { Containers } from './containers.js';
import { DockerSandbox } from './docker-sandbox.js';
import { callEngine } from './engine.js';
import { overlayVolumes, removeVolumes } from './overlay-volumes.js';
import { ensureSkeletonImage } from './skeleton-image.js';

/** Label by which everything of a request's label is found. */
const GROUP_LABEL = 'featurearc.label';
/** Label by which everything of one sandbox is found. */
const SANDBOX_LABEL = 'featurearc.sandbox';
/** Label that says which process of the harness a container belongs to. */
const OWNER_LABEL = 'featurearc.owner';

/** Docker: a container of the engine on this host, without any image but an empty one. */
export const dockerMember: SandboxMember = { kind: 'docker', probe: probeDocker, open: openDocker, killByLabel };

async function openDocker(request: SandboxRequest): Promise<DockerSandbox> {
  const image = await ensureSkeletonImage();
  const ownUid = process.getuid?.() ?? 0;
  const mustOwn = ownUid === 0;
  const uid = mustOwn ? nextGuestKernelUid() : ownUid;
  const home = await makeSandboxHome(request.label);
  const labels = {
    [GROUP_LABEL]: namePrefixOf(request.label),
    [SANDBOX_LABEL]: home.name,
    [OWNER_LABEL]: await ownStamp(),
  };
  const label = `${SANDBOX_LABEL}=${home.name}`;
  try {
    const etc = join(home.folder, 'etc');
    const etcShared = await writeGuestEtc(etc, uid);
    const streams = join(home.folder, 'streams');
    await mkdir(streams);
    // The guest opens its own files in there by name, but cannot list the folder, nor (as another user) change it.
    await chmod(streams, 0o711);
    const sides = await hostSides(request, home, mustOwn ? uid : null);
    const mounts = await overlayVolumes(sides, { name: home.name, folder: home.folder, labels });
    mounts.push({ from: streams, to: STREAMS_FOLDER, readOnly: false, volume: false });
    const { limits, network } = request;
    const plan: ContainerPlan = { image, labels, limits, sharesNetwork: network === 'host', mounts, etc, etcShared };
    const enforced = await enforcedLimits(request.limits);
    const containers = new Containers({ common: plan, enforced, uid, mustOwn, folder: home.folder });
    const written = sides.flatMap(({ from, mode }) => (mode === 'rw' ? [from] : []));
    return new DockerSandbox({ request, home, uid, enforced, containers, label, written });
  } catch (thrown) {
    await removeVolumes(label);
    await removeSandboxHome(home);
    throw thrown;
  }
}

let engineFacts: Promise<Record<string, unknown>> | null = null;

/** What the engine says about itself; asked once, for it takes its time and does not change. */
function engineInformation(): Promise<Record<string, unknown>> {
  if (engineFacts !== null) return engineFacts;
  const asked = callEngine({ method: 'GET', path: '/info' }) as Promise<Record<string, unknown>>;
  engineFacts = asked;
  asked.catch(() => {
    engineFacts = null;
  });
  return asked;
}

/** Which of the asked limits this engine's kernel can hold. */
async function enforcedLimits(limits: Limits): Promise<{ pids: boolean; memory: boolean; cpus: boolean }> {
  const info = await engineInformation();
  return {
    pids: limits.pids !== null && info.PidsLimit === true,
    memory: limits.memoryBytes !== null && info.MemoryLimit === true,
    cpus: limits.cpus !== null && info.CpuCfsQuota === true,
  };
}

async function killByLabel(label: string): Promise<number> {
  const wanted = `${GROUP_LABEL}=${namePrefixOf(label)}`;
  let listed: { Id: string }[] = [];
  try {
    const filters = JSON.stringify({ label: [wanted] });
    listed = (await callEngine({ method: 'GET', path: '/containers/json', query: { all: 'true', filters } })) as {
      Id: string;
    }[];
    for (const { Id } of listed) await removeContainer(Id);
    await removeVolumes(wanted);
  } catch (thrown) {
    // Without an engine no container of it is running either.
    if (!(thrown instanceof Fault && thrown.code === 'docker-unreachable')) throw thrown;
  }
  await removeSandboxHomes(label);
  return listed.length;
}

/** Removes containers whose process of the harness has died: unlike a process they outlive it. */
async function sweepContainers(): Promise<void> {
  const query = { all: 'true', filters: JSON.stringify({ label: [OWNER_LABEL] }) };
  const listed = await callEngine({ method: 'GET', path: '/containers/json', query });
  for (const { Id, Labels } of listed as { Id: string; Labels: Record<string, string> }[]) {
    if (!(await isStampDead(Labels[OWNER_LABEL] ?? ''))) continue;
    await removeContainer(Id);
    await removeVolumes(`${SANDBOX_LABEL}=${Labels[SANDBOX_LABEL] ?? ''}`);
  }
}

const PROBE_REQUEST: SandboxRequest = {
  mounts: [],
  network: 'none',
  limits: { pids: null, memoryBytes: null, cpus: null, diskBytes: null },
  env: {},
  cwd: '/',
  label: 'featurearc-probe',
};

/** Really starts a container: an engine that answers may still lack what a container needs. */
async function probeDocker(): Promise<SandboxProbe> {
  let version: string | null = null;
  try {
    version = ((await callEngine({ method: 'GET', path: '/version' })) as { Version: string }).Version;
    await sweepContainers();
    const sandbox = await openDocker(PROBE_REQUEST);
    try {
      const { exitCode, stderr } = await sandbox.exec({ argv: ['true'] });
      if (exitCode !== 0) return unusable(version, `a trial command ended with ${exitCode}: ${stderr}`, null);
    } finally {
      await sandbox.close();
    }
  } catch (thrown) {
    return unusable(version, messageOf(thrown), thrown instanceof Fault ? thrown.hint : null);
  }
  return { kind: 'docker', usable: true, reason: null, hint: null, isolating: true, version };
}

function unusable(version: string | null, reason: string, hint: string | null): SandboxProbe {
  return { kind: 'docker', usable: false, reason, hint, isolating: true, version };
}
