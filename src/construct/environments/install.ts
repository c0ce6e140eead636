import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathBytes } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import { hostVariable } from '#process/index.js';
import { openSandbox, type SandboxKind, toolchainMounts, whileOpen } from '#sandbox/index.js';
import type { Recipe } from './recipe.js';

/** Settings of the package clients that say where registries are and whom to trust; nothing else of the host goes in. */
const CLIENT_SETTINGS = [
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'PIP_CERT',
  'PIP_FIND_LINKS',
  'PIP_DEFAULT_TIMEOUT',
  'NPM_CONFIG_REGISTRY',
  'npm_config_registry',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
];
const INSTALL_TIMEOUT_MS = 900_000;
const GUEST = '/featurearc/env';

export interface InstallPlace {
  sandbox: SandboxKind;
  label: string;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

export interface InstallResult {
  commands: string[][];
  why: string;
  /** What each attempt said, for the record. */
  transcript: string;
}

/**
 * Carries a recipe out in a networked sandbox, in `folder`, which the commands see as /featurearc/env. Alternatives are
 * tried in order, each from an empty folder.
 * @throws Fault `environment-not-built` (environment) with the end of every attempt's output
 */
export async function install(recipe: Recipe, folder: string, place: InstallPlace): Promise<InstallResult> {
  const transcript: string[] = [];
  for (const attempt of recipe.attempts) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const [path, content] of recipe.inputs) {
      const target = join(folder, pathBytes(path).toString('utf8'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    const failure = await runCommands(attempt.commands, folder, place);
    transcript.push(`${attempt.why}: ${failure ?? 'done'}`);
    if (failure === null) return { commands: attempt.commands, why: attempt.why, transcript: transcript.join('\n') };
  }
  throw new Fault({
    code: 'environment-not-built',
    kind: 'environment',
    message: `the dependencies of the initial state could not be installed:\n${transcript.join('\n')}`,
    hint: 'Check that the package registries are reachable from this machine, or choose a later checkpoint.',
  });
}

async function runCommands(
  commands: readonly string[][],
  folder: string,
  { sandbox: kind, label, signal }: InstallPlace,
): Promise<string | null> {
  const toolchains = toolchainMounts();
  const env: Record<string, string> = {
    ...toolchains.env,
    HOME: '/tmp',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    CI: '1',
    npm_config_cache: '/tmp/npm',
    PIP_NO_CACHE_DIR: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
  for (const name of CLIENT_SETTINGS) {
    const value = hostVariable(name);
    if (value !== null) env[name] = value;
  }
  const findLinks = env.PIP_FIND_LINKS;
  const sandbox = await openSandbox(kind, {
    mounts: [
      ...toolchains.mounts,
      { from: folder, to: GUEST, mode: 'rw' },
      ...(findLinks?.startsWith('/') ? [{ from: findLinks, to: findLinks, mode: 'ro' as const }] : []),
    ],
    network: 'host',
    limits: { pids: 4096, memoryBytes: null, cpus: null, diskBytes: null },
    env,
    cwd: GUEST,
    label,
  });
  return whileOpen(sandbox, signal, async () => {
    for (const argv of commands) {
      const result = await sandbox.exec({ argv, timeoutMs: INSTALL_TIMEOUT_MS });
      if (result.exitCode !== 0) {
        const output = Buffer.concat([result.stdout, result.stderr]).toString('utf8').trim().slice(-1_500);
        return `${argv.join(' ')} ${result.timedOut ? 'took too long' : `ended with ${result.exitCode ?? result.signal}`}: ${output}`;
      }
    }
    return null;
  });
}
