import { join } from 'node:path';
import { unguessableId } from '#kernel/ids.js';
import type { ControlGroup, GroupUsage } from '../cgroups/control-group.js';
import type { Mount } from '../contract.js';
import { copyForOverlay } from '../host/copy-for-overlay.js';
import { mountSource, ownTrees, writablePaths } from '../host/own-tree.js';
import { Container } from './container.js';
import type { ContainerMount, ContainerPlan } from './container-settings.js';

export interface ContainersPlan {
  /** What all of them have in common. */
  common: ContainerPlan;
  enforced: ControlGroup['enforced'];
  /** Kernel uid of what runs inside. */
  uid: number;
  /** Whether writable folders must be given to that uid. */
  mustOwn: boolean;
  /** Host folder for copies. */
  folder: string;
}

/**
 * The containers of one sandbox: one for commands without mounts of their own, one more for each set of further mounts (a
 * running container cannot be given any). Each is made when the first command needs it and lives until the close.
 */
export class Containers {
  private readonly made = new Map<string, Promise<Container>>();
  private overlaysOwned: Promise<void> | null = null;
  private past: GroupUsage | null = null;

  constructor(private readonly plan: ContainersPlan) {}

  /** The container with these further mounts. @throws Fault (environment) where the engine cannot make it */
  for(further: readonly Mount[]): Promise<Container> {
    const key = JSON.stringify(further);
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const making = this.make(further);
    this.made.set(key, making);
    // What could not be made is tried anew by the next command.
    making.catch(() => this.made.delete(key));
    return making;
  }

  /** Those that are there, once those just being made are. */
  async all(): Promise<Container[]> {
    const settled = await Promise.allSettled(this.made.values());
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async usage(): Promise<GroupUsage> {
    if (this.past !== null) return this.past;
    const present = await Promise.all((await this.all()).map((container) => container.usage()));
    return present.reduce(added, { oomKills: null, peakMemoryBytes: null, cpuMs: null });
  }

  async removeAll(): Promise<void> {
    const all = await this.all();
    this.past = await this.usage();
    this.made.clear();
    await Promise.all(all.map((container) => container.remove()));
  }

  private async make(further: readonly Mount[]): Promise<Container> {
    const { common, enforced, folder, uid, mustOwn } = this.plan;
    const real: Mount[] = [];
    for (const mount of further) real.push({ ...mount, from: await mountSource(mount.from, mount.mode === 'rw') });
    const copied = await copyForOverlay(real, join(folder, unguessableId()));
    if (mustOwn) await ownTrees(writablePaths(copied), uid);
    const mounts = copied.map(
      ({ from, to, mode }): ContainerMount => ({ from, to, readOnly: mode === 'ro', volume: false }),
    );
    const container = await Container.create({ ...common, mounts: [...common.mounts, ...mounts] }, enforced);
    const overlays = common.mounts.filter(({ volume }) => volume).map(({ to }) => to);
    // The changes of owner stay in the overlays' own folders, whichever container made them first.
    if (mustOwn && overlays.length > 0) this.overlaysOwned ??= container.own(overlays, uid);
    await this.overlaysOwned;
    return container;
  }
}

/** Unknown plus known is known: a sandbox without any known part stays unknown. */
function added(one: GroupUsage, other: GroupUsage): GroupUsage {
  const both = (a: number | null, b: number | null, join: (a: number, b: number) => number): number | null =>
    a === null ? b : b === null ? a : join(a, b);
  const sum = (a: number, b: number): number => a + b;
  return {
    oomKills: both(one.oomKills, other.oomKills, sum),
    peakMemoryBytes: both(one.peakMemoryBytes, other.peakMemoryBytes, Math.max),
    cpuMs: both(one.cpuMs, other.cpuMs, sum),
  };
}
