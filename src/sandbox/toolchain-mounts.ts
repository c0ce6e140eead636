import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hostVariable } from '#process/index.js';
import type { Mount } from './contract.js';

export interface Toolchains {
  /** Read-only host folders, each at its own path (programs have their place compiled in). */
  mounts: Mount[];
  /** PATH, and what the toolchains need to find themselves, for inside. */
  env: Record<string, string>;
}

/** Below these everything is in every sandbox already. */
const BASE = ['/usr', '/bin', '/lib', '/sbin'];

/**
 * The toolchains for node, python, go and rust that this host has outside its system folders, to be mounted read-only.
 * Nothing of a user's caches, settings or credentials: of a home only the folders with the compilers themselves.
 */
export function toolchainMounts(): Toolchains {
  const folders = new Set<string>();
  const path: string[] = [];
  const use = (root: string, bin: string): void => {
    if (!BASE.some((base) => root === base || root.startsWith(`${base}/`))) folders.add(root);
    path.push(bin);
  };
  const node = dirname(realpathSync(process.execPath));
  use(node.endsWith('/bin') ? dirname(node) : node, node);
  const rust = rustToolchain();
  if (rust !== null) use(rust, join(rust, 'bin'));
  const go = ['/usr/local/go', hostVariable('GOROOT') ?? ''].find((root) => existsSync(join(root, 'bin/go')));
  if (go !== undefined) use(go, join(go, 'bin'));
  const pythons = pythonVersions();
  for (const root of pythons) use(dirname(root), join(root, 'bin'));
  return {
    mounts: [...folders].map((folder) => ({ from: folder, to: folder, mode: 'ro' })),
    env: { PATH: [...new Set([...path, '/usr/local/bin', '/usr/bin', '/bin'])].join(':') },
  };
}

/** The operator's home; a user without one (a service account) has no toolchains in it. */
function home(): string {
  return hostVariable('HOME') ?? '/nonexistent';
}

/** The real toolchain's folder: rustup's own programs are switches that want a writable home. */
function rustToolchain(): string | null {
  const root = join(hostVariable('RUSTUP_HOME') ?? join(home(), '.rustup'), 'toolchains');
  const complete = namesIn(root).filter(
    (name) => existsSync(join(root, name, 'bin/rustc')) && existsSync(join(root, name, 'bin/cargo')),
  );
  const chosen = complete.find((name) => name.startsWith('stable')) ?? complete[0];
  return chosen === undefined ? null : realpathSync(join(root, chosen));
}

/** pyenv's versions, newest first; python3 is then the newest one unless a virtual environment says otherwise. */
function pythonVersions(): string[] {
  const root = join(hostVariable('PYENV_ROOT') ?? join(home(), '.pyenv'), 'versions');
  return namesIn(root)
    .filter((name) => /^3\.\d+\.\d+$/.test(name) && existsSync(join(root, name, 'bin/python3')))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => realpathSync(join(root, name)));
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}
