import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '#kernel/faults.js';
import { plainEnvironment, type RunningProcess, startProcess } from '#process/index.js';
import { STAGE_SCRIPT } from './stage-plan.js';

/** Where sources are bound for the sandbox's user, in a mount namespace of our own: nobody else sees anything there. */
export const STAGE = '/run/featurearc';

/** Where the further mounts of a single command are staged. */
export const FURTHER_STAGE = `${STAGE}/further`;

/** A mount namespace that lives as long as its process, which ends when the harness does. */
export interface Holder {
  pid: number;
  end(): Promise<void>;
}

/**
 * Makes a private mount namespace with a stage in it (root only).
 * @param stageArguments as `stageArguments` makes them
 * @throws Fault `sandbox-not-staged` (environment) with mount's own words
 */
export async function holdStage(stageArguments: readonly string[]): Promise<Holder> {
  await mkdir(STAGE, { recursive: true, mode: 0o755 });
  let ready: () => void = () => undefined;
  const becameReady = new Promise<'ready'>((resolve) => {
    ready = () => resolve('ready');
  });
  let closeInput: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    closeInput = resolve;
  });
  const script = `${STAGE_SCRIPT}\necho ready\nread -r _ || :`;
  const holder = await startProcess({
    argv: ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'featurearc-stage', ...stageArguments],
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
