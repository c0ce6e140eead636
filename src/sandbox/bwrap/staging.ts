import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '#kernel/faults.js';
import { plainEnvironment, type RunningProcess, startProcess } from '#process/index.js';

/** Where sources are bound for the sandbox's user, in a mount namespace of our own: nobody else sees anything there. */
export const STAGE = '/run/featurearc';

export interface StagedMount {
  /** Host path. */
  from: string;
  /** Path under the stage. */
  place: string;
  mode: 'ro' | 'rw' | 'overlay';
  /** For `overlay`: folders on the host that take the changes. */
  upper: string | null;
  work: string | null;
}

/** A mount namespace that lives as long as its process, which ends when the harness does. */
export interface Holder {
  pid: number;
  end(): Promise<void>;
}

// Arguments in groups of five: mode, from, place, upper, work. The stage is a memory file system of this namespace only.
// An overlay keeps changed owners as metadata of its own, so that giving it to the user copies no content.
const SCRIPT = `
set -e
stage=$1; uid=$2; shift 2
mount -t tmpfs -o mode=0755,nosuid,nodev none "$stage"
while [ $# -gt 0 ]; do
  if [ -d "$2" ]; then mkdir "$3"; else : > "$3"; fi
  case $1 in
    overlay)
      mount -t overlay -o "metacopy=on,lowerdir=$2,upperdir=$4,workdir=$5" none "$3"
      chown -R -P -h "$uid:$uid" -- "$3" ;;
    *) mount --rbind "$2" "$3" ;;
  esac
  if [ "$1" = ro ]; then mount -o remount,bind,ro "$3"; fi
  shift 5
done
mount -o remount,ro "$stage"
echo ready
exec cat > /dev/null
`;

/**
 * Binds the mounts into a private mount namespace (root only).
 * @throws Fault `sandbox-not-staged` (environment) with mount's own words
 */
export async function holdStage(mounts: readonly StagedMount[], uid: number): Promise<Holder> {
  await mkdir(STAGE, { recursive: true, mode: 0o755 });
  let ready: () => void = () => undefined;
  const becameReady = new Promise<'ready'>((resolve) => {
    ready = () => resolve('ready');
  });
  let closeInput: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    closeInput = resolve;
  });
  const holder = await startProcess({
    argv: [
      'unshare',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      SCRIPT,
      'featurearc-stage',
      STAGE,
      String(uid),
      ...mounts.flatMap(({ mode, from, place, upper, work }) => [mode, from, place, upper ?? '', work ?? '']),
    ],
    env: plainEnvironment(),
    cwd: '/',
    stdin: silentUntil(open),
    onStdout: ready,
  });
  const first = await Promise.race([becameReady, holder.ended]);
  if (first !== 'ready') {
    throw new Fault({
      code: 'sandbox-not-staged',
      kind: 'environment',
      message: `cannot prepare the sandbox's mounts: ${first.stderr.toString('utf8').trim().slice(0, 1000)}`,
      hint: 'Root with CAP_SYS_ADMIN is needed; inside a container, start it with --privileged or use the docker sandbox.',
    });
  }
  return { pid: holder.pid, end: () => endHolder(holder, closeInput) };
}

/** True where a user that owns nothing can reach the path: every folder above it lets others through. */
export async function isReachable(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === '/') return true;
  }
}

async function endHolder(holder: RunningProcess, closeInput: () => void): Promise<void> {
  closeInput();
  await holder.end(0);
}

/** An input that says nothing and ends when told to (or with the harness). */
async function* silentUntil(end: Promise<void>): AsyncGenerator<Uint8Array> {
  await end;
  yield new Uint8Array();
}
