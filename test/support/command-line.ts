import { fileURLToPath } from 'node:url';
import { type ProcessResult, plainEnvironment, runProcess } from '#process/index.js';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

export interface Answer extends Pick<ProcessResult, 'exitCode'> {
  stdout: string;
  stderr: string;
}

/** Runs the built command line as a user would, with a home of its own for caches. */
export async function featurearc(
  args: readonly string[],
  options: { cwd?: string; home?: string } = {},
): Promise<Answer> {
  const result = await runProcess({
    argv: [process.execPath, BIN, ...args],
    env: {
      ...plainEnvironment(),
      HOME: options.home ?? '/nonexistent',
      ...(options.home === undefined ? {} : { FEATUREARC_HOME: options.home }),
    },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    timeoutMs: 1_800_000,
  });
  return { exitCode: result.exitCode, stdout: result.stdout.toString('utf8'), stderr: result.stderr.toString('utf8') };
}
