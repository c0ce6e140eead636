import { lstatSync, readlinkSync } from 'node:fs';

/** One entry of the guest's root that comes from the host's. */
export type BaseEntry = { path: string; link: string } | { path: string; link: null };

const TOP_LEVEL = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** The host's system folders as they are: folders to be mounted read-only, links to be made again. */
export function baseSystem(): BaseEntry[] {
  return TOP_LEVEL.flatMap((path): BaseEntry[] => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return [{ path, link: found.isSymbolicLink() ? readlinkSync(path) : null }];
  });
}
