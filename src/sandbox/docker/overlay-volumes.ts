import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount } from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import type { ContainerMount } from './container-settings.js';
import { callEngine, callIfThere } from './engine.js';

/**
 * Makes a volume for each overlay mount: the engine mounts the overlay when a container starts and unmounts it with the
 * last one, so that no mount of ours can be left on the host. The changes go into `folder`. A path that an overlay's
 * options cannot hold is copied instead.
 */
export async function overlayVolumes(
  mounts: readonly Mount[],
  place: { name: string; folder: string; labels: Readonly<Record<string, string>> },
): Promise<ContainerMount[]> {
  const made: ContainerMount[] = [];
  for (const [index, mount] of mounts.entries()) {
    const odd = mount.mode === 'overlay' && /[,:\\]/.test(mount.from);
    const [plain = mount] = odd ? await copyForOverlay([mount], join(place.folder, `copy-${index}`)) : [mount];
    const { from, to, mode } = plain;
    if (mode !== 'overlay') {
      made.push({ from, to, readOnly: mode === 'ro', volume: false });
      continue;
    }
    const upper = join(place.folder, `upper-${index}`);
    const work = join(place.folder, `work-${index}`);
    await mkdir(upper, { mode: 0o755 });
    await mkdir(work, { mode: 0o755 });
    const o = `metacopy=on,lowerdir=${from},upperdir=${upper},workdir=${work}`;
    const Name = `featurearc-${place.name}-${index}`;
    const DriverOpts = { type: 'overlay', device: 'overlay', o };
    await callEngine({
      method: 'POST',
      path: '/volumes/create',
      body: { Name, Driver: 'local', DriverOpts, Labels: place.labels },
    });
    made.push({ from: Name, to, readOnly: false, volume: true });
  }
  return made;
}

/** Removes the volumes with a label; those that are gone are fine. */
export async function removeVolumes(label: string): Promise<void> {
  const filters = JSON.stringify({ label: [label] });
  const listed = await callEngine({ method: 'GET', path: '/volumes', query: { filters } });
  for (const { Name } of (listed as { Volumes: { Name: string }[] | null }).Volumes ?? []) {
    await callIfThere({ method: 'DELETE', path: `/volumes/${Name}`, query: { force: 'true' } });
  }
}
