import { mkdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import { Fault } from '#kernel/faults.js';
import {
  type Limits,
  type Mount,
  openSandbox,
  type Sandbox,
  type SandboxKind,
  toolchainMounts,
} from '#sandbox/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { linkFolder, makeMountPoint } from './mount-points.js';
import { ENVIRONMENT, guestPlace, HOME, placeOf, TMP, WORKSPACE, workspaceVariables } from './workspace-places.js';

export interface WorkspaceSandboxRequest {
  kind: SandboxKind;
  environment: Environment;
  /** The environment's content on the host; null where it has none. */
  environmentFolder: string | null;
  /** The folder that becomes /workspace, writable. */
  hostWorkspace: string;
  /** The agent's home; without it a fresh one that goes when the sandbox closes. */
  homeFolder?: string;
  tmpFolder?: string;
  limits: Limits;
  label: string;
  network?: 'none' | { socketDir: string };
  extraMounts?: readonly Mount[];
  /** Further variables, over the environment's own. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Opens a sandbox on a workspace with its environment joined in: dependencies mounted read-only where the document says,
 * fresh scratch folders, a home, the host's toolchains, pinned variables. The working folder is /workspace.
 * @throws Fault (environment) where the sandbox cannot be had
 */
export async function openWorkspaceSandbox(request: WorkspaceSandboxRequest): Promise<Sandbox> {
  const own = await makeTemporaryFolder('workspace');
  const undo: (() => Promise<void>)[] = [() => rm(own, { recursive: true, force: true, maxRetries: 3 })];
  const cleanUp = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const toolchains = toolchainMounts();
    const mounts: Mount[] = [
      { from: request.hostWorkspace, to: WORKSPACE, mode: 'rw' },
      { from: request.homeFolder ?? (await folderIn(own, 'home')), to: HOME, mode: 'rw' },
      { from: request.tmpFolder ?? (await folderIn(own, 'tmp')), to: TMP, mode: 'rw' },
      ...(request.environmentFolder === null
        ? []
        : await environmentMounts({ ...request, environmentFolder: request.environmentFolder, own, undo })),
      ...toolchains.mounts,
      ...(request.extraMounts ?? []),
    ];
    const place = (path: string): string => placeOf(request.kind, mounts, path);
    const variables = workspaceVariables(request.environment, place, toolchains.env.PATH ?? '');
    const sandbox = await openSandbox(request.kind, {
      mounts,
      network: request.network ?? 'none',
      limits: request.limits,
      env: { ...variables, ...request.env },
      cwd: WORKSPACE,
      label: request.label,
    });
    return withCleanUp(sandbox, cleanUp);
  } catch (thrown) {
    await cleanUp();
    throw thrown;
  }
}

interface EnvironmentPlacing {
  kind: SandboxKind;
  environment: Environment;
  environmentFolder: string;
  hostWorkspace: string;
  own: string;
  undo: (() => Promise<void>)[];
}

async function environmentMounts(placing: EnvironmentPlacing): Promise<Mount[]> {
  const { environment, environmentFolder, hostWorkspace } = placing;
  const mounts: Mount[] = [{ from: environmentFolder, to: ENVIRONMENT, mode: 'ro' }];
  const placed: { place: string; source: string }[] = [];
  for (const { from, to } of environment.mounts) {
    const source = join(environmentFolder, from);
    if (!isAbsolute(to)) {
      if (!(await makeMountPoint(hostWorkspace, to))) continue;
      if (placing.kind === 'local') {
        await linkIntoWorkspace(placing, source, to);
        continue;
      }
    }
    placed.push({ place: guestPlace(to), source });
    mounts.push({ from: source, to: guestPlace(to), mode: 'ro' });
  }
  if (placing.kind === 'local') return mounts;
  for (const [index, path] of environment.scratch.entries()) {
    const to = guestPlace(path);
    const holder = placed.find(({ place }) => to.startsWith(`${place}/`));
    if (holder !== undefined) await mustHaveFolder(join(holder.source, to.slice(holder.place.length)));
    else if (!(await makeMountPoint(hostWorkspace, path))) continue;
    mounts.push({ from: await folderIn(placing.own, `scratch-${index}`), to, mode: 'rw' });
  }
  return mounts;
}

/** Content is mounted read-only, so nothing can be made in it to mount on. */
async function mustHaveFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) return;
  throw new Fault({
    code: 'environment-scratch-missing',
    kind: 'input',
    message: `${folder}: the environment's content lacks this folder, which its document names as scratch space`,
    hint: 'Make the environment anew; its builder leaves an empty folder for every scratch path.',
  });
}

/** `local` cannot mount: links stand in the workspace as long as the sandbox is open. */
async function linkIntoWorkspace(placing: EnvironmentPlacing, source: string, to: string): Promise<void> {
  const place = join(placing.hostWorkspace, to);
  const inside = `${to.replace(/\/+$/, '')}/`;
  const scratch = placing.environment.scratch.filter((path) => path.startsWith(inside));
  await linkFolder(
    source,
    place,
    scratch.map((path) => path.slice(inside.length)),
  );
  placing.undo.push(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));
}

async function folderIn(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  return folder;
}

function withCleanUp(sandbox: Sandbox, cleanUp: () => Promise<void>): Sandbox {
  return {
    kind: sandbox.kind,
    exec: (request) => sandbox.exec(request),
    start: (request) => sandbox.start(request),
    processes: () => sandbox.processes(),
    freeze: () => sandbox.freeze(),
    thaw: () => sandbox.thaw(),
    killAll: (options) => sandbox.killAll(options),
    facts: () => sandbox.facts(),
    guestPath: (path) => sandbox.guestPath(path),
    close: async () => {
      await sandbox.close();
      await cleanUp();
    },
  };
}
