import type { Mount } from '../contract.js';
import { baseSystem } from '../host/base-system.js';

/** The uid and gid that a command sees as its own, whatever the kernel's are. */
export const GUEST_UID = 1000;

export interface BwrapView {
  /** Folder with the guest's /etc. */
  etc: string;
  /** Host entries under /etc that are shared. */
  etcShared: readonly string[];
  /** `from` is where bwrap finds the source (staged or not); `overlay` is already a writable folder there. */
  mounts: readonly Mount[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** The host's network and resolver instead of an empty network. */
  sharesNetwork: boolean;
}

/** What names need to be found, where the network is shared. */
const RESOLVER = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];

const NAMESPACES = [
  '--unshare-user',
  '--unshare-all',
  '--uid',
  String(GUEST_UID),
  '--gid',
  String(GUEST_UID),
  '--disable-userns',
  '--die-with-parent',
  '--new-session',
  '--hostname',
  'sandbox',
  '--clearenv',
];

/** As in the containers. */
const SHM_BYTES = String(1024 * 1024 * 1024);

const DEVICES = [
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--size',
  SHM_BYTES,
  '--tmpfs',
  '/dev/shm',
  '--remount-ro',
  '/dev',
];

/**
 * Bubblewrap's arguments for one command: new namespaces, no capability, and of the host's files only what is listed.
 * Mounts come in order of depth, so that one inside another lies over it. The root itself ends read-only.
 */
export function bwrapArguments(view: BwrapView): string[] {
  const mounts = [...view.mounts].sort((a, b) => depthOf(a.to) - depthOf(b.to));
  return [
    ...NAMESPACES,
    ...(view.sharesNetwork ? ['--share-net'] : []),
    ...Object.entries(view.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...baseSystem().flatMap((entry) =>
      entry.link === null ? ['--ro-bind', entry.path, entry.path] : ['--symlink', entry.link, entry.path],
    ),
    ...DEVICES,
    '--ro-bind',
    view.etc,
    '/etc',
    ...[...view.etcShared, ...(view.sharesNetwork ? RESOLVER : [])].flatMap((path) => ['--ro-bind', path, path]),
    ...mounts.flatMap(({ from, to, mode }) => [mode === 'ro' ? '--ro-bind' : '--bind', from, to]),
    '--remount-ro',
    '/',
    '--chdir',
    view.cwd,
  ];
}

function depthOf(path: string): number {
  return path.split('/').filter((part) => part !== '').length;
}
