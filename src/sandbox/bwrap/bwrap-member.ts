import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import type { SandboxMember, SandboxProbe } from '../contract.js';
import { killLeftovers } from '../host/kill-leftovers.js';
import { openBwrap } from './open-bwrap.js';

/** Bubblewrap: namespaces without a daemon, about ten milliseconds a command. */
export const bwrapMember: SandboxMember = {
  kind: 'bwrap',
  probe: probeBwrap,
  open: openBwrap,
  killByLabel: killLeftovers,
};

const PROBE_REQUEST = {
  mounts: [],
  network: 'none',
  limits: { pids: null, memoryBytes: null, cpus: null, diskBytes: null },
  env: {},
  cwd: '/',
  label: 'featurearc-probe',
} as const;

/** Version 0.8 brought --disable-userns. */
const LEAST_MINOR = 8;

/** Really opens a sandbox: whether the kernel lets us depends on too many settings to be guessed. */
async function probeBwrap(): Promise<SandboxProbe> {
  const version = await bwrapVersion();
  if (version === null) {
    return unusable(null, 'bubblewrap is not installed', 'Install it, e.g. `apt-get install bubblewrap`.');
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 0 && minor < LEAST_MINOR) {
    return unusable(version, `bubblewrap ${version} is too old`, `Install version 0.${LEAST_MINOR}.0 or later.`);
  }
  try {
    const sandbox = await openBwrap(PROBE_REQUEST);
    try {
      const { exitCode, stderr } = await sandbox.exec({ argv: ['true'] });
      if (exitCode !== 0) return unusable(version, `a trial command ended with ${exitCode}: ${stderr}`, HINT);
    } finally {
      await sandbox.close();
    }
  } catch (thrown) {
    return unusable(version, messageOf(thrown), thrown instanceof Fault ? (thrown.hint ?? HINT) : HINT);
  }
  return { kind: 'bwrap', usable: true, reason: null, hint: null, isolating: true, version };
}

const HINT =
  'Unprivileged user namespaces must be allowed (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); inside a container it must be a privileged one.';

function unusable(version: string | null, reason: string, hint: string): SandboxProbe {
  return { kind: 'bwrap', usable: false, reason, hint, isolating: true, version };
}

async function bwrapVersion(): Promise<string | null> {
  try {
    const { stdout } = await runProcess({ argv: ['bwrap', '--version'], env: plainEnvironment() });
    return stdout
      .toString('utf8')
      .trim()
      .replace(/^bubblewrap /, '');
  } catch (thrown) {
    if (thrown instanceof Fault && errorCodeOf(thrown.cause) === 'ENOENT') return null;
    throw thrown;
  }
}
