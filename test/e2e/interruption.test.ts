import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainEnvironment, runProcess } from '#process/index.js';
import { makeTemporaryFolder } from '#store/index.js';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await makeTemporaryFolder('interruption');
  // Guests of a sandbox are other users: they must be able to reach what is mounted for them.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'tmp'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Starts a command and sends it a signal as soon as a temporary folder of the given purpose stands. */
async function interruptAt(purpose: string, args: readonly string[], signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...plainEnvironment(), HOME: folder, FEATUREARC_HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += String(data);
  });
  child.stdout.resume();
  let ended = false;
  const end = once(child, 'close').then(([code]) => {
    ended = true;
    return code as number | null;
  });
  while (!ended) {
    const made = await readdir(join(folder, 'tmp'));
    if (made.some((name) => name.startsWith(`featurearc-${purpose}-`))) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill(signal);
  return { exitCode: await end, stderr };
}

async function processesNaming(text: string): Promise<string[]> {
  const { stdout } = await runProcess({ argv: ['ps', '-eo', 'pid,args'], env: plainEnvironment() });
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes(text));
}

describe('a command that is interrupted', () => {
  it.each([
    ['while it builds', 'observe', 'SIGINT', 130],
    ['while it checks', 'grade', 'SIGTERM', 143],
  ] as const)(
    'ends %s, says so, and leaves neither processes nor temporary files',
    async (_when, purpose, signal, code) => {
      const { exitCode, stderr } = await interruptAt(purpose, ['demo', '--out', join(folder, 'demo')], signal);
      expect(exitCode, stderr).toBe(code);
      expect(stderr).toContain('stopped; nothing was left behind');
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
      expect(await processesNaming(folder)).toEqual([]);
    },
    300_000,
  );
});
