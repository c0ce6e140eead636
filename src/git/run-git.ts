import { Fault } from '#kernel/faults.js';
import { type ProcessRequest, plainEnvironment, runProcess } from '#process/index.js';

/** Where git acts. Its work trees, hooks, filters and the operator's configuration never take part. */
export interface GitPlace {
  /** The folder that holds HEAD and objects. */
  gitDir: string;
  /** Where new objects go; reading falls back to `gitDir`'s objects. */
  objectDirectory?: string;
  /** Where `gitDir`'s own objects are, with `objectDirectory`: elsewhere in a linked worktree. By default below `gitDir`. */
  ownObjects?: string;
}

export interface GitRequest
  extends Pick<ProcessRequest, 'stdin' | 'timeoutMs' | 'maxOutputBytes' | 'onStdout' | 'signal'> {
  args: readonly string[];
  /** Extra variables, e.g. GIT_INDEX_FILE. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers; others are faults. */
  accept?: readonly number[];
}

/** Variables that keep the operator's configuration, network fetches, prompts, pagers, replacements and grafts out. */
export function gitEnvironment(place: GitPlace): Record<string, string> {
  return {
    ...plainEnvironment(),
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_DIR: place.gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    ...(place.objectDirectory === undefined
      ? {}
      : {
          GIT_OBJECT_DIRECTORY: place.objectDirectory,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: place.ownObjects ?? `${place.gitDir}/objects`,
        }),
  };
}

/** Flags before the subcommand: ownership accepted for this place alone, nothing executed on its behalf. */
export function gitArgv(place: GitPlace, args: readonly string[]): string[] {
  return [
    'git',
    '-c',
    `safe.directory=${place.gitDir}`,
    '-c',
    'advice.graftFileDeprecated=false',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.attributesFile=/dev/null',
    '-c',
    'core.autocrlf=false',
    '-c',
    'gc.auto=0',
    // Git before 2.44 knows no GIT_NO_LAZY_FETCH: a partial clone would fetch what it lacks.
    '-c',
    'protocol.allow=never',
    ...args,
  ];
}

/**
 * Runs git and returns its stdout as bytes with its exit code.
 * @throws Fault `git-failed` (input) with git's own words where the exit code is not accepted
 */
export async function runGit(
  place: GitPlace,
  request: GitRequest,
): Promise<{ stdout: Buffer; exitCode: number; stderr: string }> {
  const { args, env, accept = [0], ...rest } = request;
  const result = await runProcess({
    argv: gitArgv(place, args),
    env: { ...gitEnvironment(place), ...env },
    maxOutputBytes: 2 ** 30,
    ...rest,
  });
  const stderr = result.stderr.toString('utf8');
  if (result.exitCode === null || !accept.includes(result.exitCode) || result.truncated) {
    const how = result.timedOut
      ? 'took too long'
      : result.exitCode === null
        ? `was ended by ${result.signal}`
        : `exit code ${result.exitCode}`;
    throw new Fault({
      code: 'git-failed',
      kind: 'input',
      message: `git ${args[0] ?? ''} in ${place.gitDir}: ${how}${result.truncated ? ', output cut' : ''}: ${stderr.trim().split('\n').slice(-3).join(' · ')}`,
      hint: 'Run `git fsck` in the repository; a shallow, partial or damaged clone lacks objects that are needed.',
      context: { args: args.slice(0, 12), exitCode: result.exitCode },
    });
  }
  return { stdout: result.stdout, exitCode: result.exitCode, stderr };
}
