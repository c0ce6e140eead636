import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount } from '../contract.js';

/** What a mount namespace's stage is made of, all of it under one folder. */
export interface StagePlan {
  /** Mount table in fstab's format: one `mount` process makes them all. */
  table: string;
  /** Places of mounts that are single files: unlike folders they must be made before. */
  files: string[];
  /** Mounted overlays, to be given to the sandbox's user. */
  overlays: string[];
  /** The mounts with their sources as found under the stage. */
  view: Mount[];
}

/**
 * Plans a stage.
 * @param place where it will be
 * @param scratch host folder that takes the changes to overlays
 */
export async function planStage(mounts: readonly Mount[], place: string, scratch: string): Promise<StagePlan> {
  const plan: StagePlan = { table: '', files: [], overlays: [], view: [] };
  for (const [index, mount] of mounts.entries()) {
    const at = `${place}/${index}`;
    const isFolder = statSync(mount.from).isDirectory();
    if (!isFolder) plan.files.push(at);
    plan.view.push({ ...mount, from: at });
    if (mount.mode !== 'overlay') {
      plan.table += bindLine(mount.from, at, { readOnly: mount.mode === 'ro', isFolder });
      continue;
    }
    const upper = join(scratch, `upper-${index}`);
    const work = join(scratch, `work-${index}`);
    const lower = `${place}/lower-${index}`;
    await mkdir(upper, { mode: 0o755 });
    await mkdir(work, { mode: 0o755 });
    plan.overlays.push(at);
    // Bound to a plain name first: an overlay's options cannot hold every path. Changed owners are kept as metadata, so
    // that giving the overlay to the user copies no content.
    plan.table += bindLine(mount.from, lower, { readOnly: true, isFolder });
    plan.table += `overlay ${at} overlay X-mount.mkdir,metacopy=on,lowerdir=${lower},upperdir=${upper},workdir=${work} 0 0\n`;
  }
  return plan;
}

/** The plan as arguments of `STAGE_SCRIPT`, closed by `--`. */
export function stageArguments(plan: StagePlan, place: string, tableFile: string, uid: number): string[] {
  return [place, tableFile, String(uid), ...plan.files, '--', ...plan.overlays, '--'];
}

/** Makes a stage in the mount namespace it runs in; the shell's arguments afterwards are what follows the plan's. */
export const STAGE_SCRIPT = `
set -e
mount -t tmpfs -o X-mount.mkdir,mode=0755,nosuid,nodev none "$1"
table=$2 uid=$3
shift 3
while [ "$1" != -- ]; do : > "$1"; shift; done
shift
if [ -s "$table" ]; then mount --all --fstab "$table"; fi
while [ "$1" != -- ]; do chown -R -P -h "$uid:$uid" -- "$1"; shift; done
shift
`;

function bindLine(from: string, to: string, as: { readOnly: boolean; isFolder: boolean }): string {
  const options = ['rbind', ...(as.isFolder ? ['X-mount.mkdir'] : []), ...(as.readOnly ? ['ro'] : [])];
  return `${escaped(from)} ${to} none ${options.join(',')} 0 0\n`;
}

function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
