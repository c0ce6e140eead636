import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProcess } from '#process/index.js';
import { openSandbox, probeSandboxes, type Sandbox, type SandboxKind, toolchainMounts } from '#sandbox/index.js';

const SCRIPT = fileURLToPath(new URL('../fixtures/sandbox/hostile-probe.cjs', import.meta.url));
const SECRET = 'featurearc-test-secret-of-the-host';
const isRoot = process.getuid?.() === 0;
const toolchains = toolchainMounts();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isolation-test-'));
  for (const name of ['workspace', 'fixed', 'private']) await mkdir(join(folder, name), { mode: 0o777 });
  await writeFile(join(folder, 'private/later-spec.md'), 'nobody inside may read this');
  process.env.FEATUREARC_TEST_SECRET = SECRET;
});
afterEach(async () => {
  delete process.env.FEATUREARC_TEST_SECRET;
  await rm(folder, { recursive: true, force: true });
});

for (const probe of (await probeSandboxes()).filter(({ isolating }) => isolating)) {
  const title = probe.usable ? `a hostile command in ${probe.kind}` : `${probe.kind} (skipped: ${probe.reason})`;
  describe.skipIf(!probe.usable)(title, () => {
    it('finds no way out', async () => {
      const sandbox = await openFor(probe.kind);
      try {
        const argv = ['node', '/probe/hostile-probe.cjs', JSON.stringify(expectations(probe.kind))];
        const result = await sandbox.exec({ argv, env: { GIVEN: 'x' }, timeoutMs: 60_000 });
        expect(result.stderr.toString()).toBe('');
        expect(JSON.parse(result.stdout.toString())).toEqual([]);
      } finally {
        await sandbox.close();
      }
    });

    it('is no root, inside or in the eyes of the host, and holds no capability', async () => {
      const sandbox = await openFor(probe.kind);
      try {
        expect((await sandbox.exec({ argv: ['id', '-u'] })).stdout.toString().trim()).not.toBe('0');
        const live = await sandbox.start({ argv: ['sleep', '1000'] });
        let guests = await sandbox.processes();
        while (!guests.some(({ command }) => command.startsWith('sleep'))) guests = await sandbox.processes();
        for (const { pid } of guests) {
          const status = await readFile(`/proc/${pid}/status`, 'latin1');
          const ids = [...status.matchAll(/^(?:Uid|Gid):\t(.*)$/gm)].flatMap(([, list = '']) => list.split('\t'));
          expect(ids.length).toBe(8);
          expect(ids).not.toContain('0');
          expect(status).toMatch(/^Groups:\t(?!0\b).*$/m);
          expect(status).toMatch(/^CapEff:\t0+$/m);
          expect(status).toMatch(/^NoNewPrivs:\t1$/m);
        }
        await live.kill();
      } finally {
        await sandbox.close();
      }
    });
  });
}

describe.skipIf(!isRoot)('the hostile command itself (skipped unless root)', () => {
  it('finds ways out of a bubblewrap that root starts without dropping to another user', async () => {
    const toGiven = JSON.stringify(expectations('bwrap'));
    const result = await runProcess({
      argv: [
        'bwrap',
        '--unshare-all',
        '--die-with-parent',
        '--ro-bind',
        '/',
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--tmpfs',
        '/tmp',
        // The checkout itself may lie below /tmp.
        '--ro-bind',
        join(SCRIPT, '..'),
        '/tmp/probe',
        process.execPath,
        '/tmp/probe/hostile-probe.cjs',
        toGiven,
      ],
      env: { PATH: '/usr/bin:/bin', FEATUREARC_TEST_SECRET: SECRET },
      cwd: '/',
    });
    const ways = JSON.parse(result.stdout.toString()) as string[];
    expect(ways).toEqual(expect.arrayContaining(['uid 0', '/proc/sys/kernel/core_pattern can be written', 'mounting']));
  });
});

function openFor(kind: SandboxKind): Promise<Sandbox> {
  return openSandbox(kind, {
    mounts: [
      { from: join(folder, 'workspace'), to: '/workspace', mode: 'rw' },
      { from: join(folder, 'fixed'), to: '/fixed', mode: 'ro' },
      { from: join(SCRIPT, '..'), to: '/probe', mode: 'ro' },
      ...toolchains.mounts,
    ],
    network: 'none',
    limits: { pids: 100, memoryBytes: 1024 ** 3, cpus: 2, diskBytes: 1024 ** 3 },
    env: toolchains.env,
    cwd: '/workspace',
    label: 'test-isolation',
  });
}

/** What a command may find, and what it must not. */
function expectations(kind: SandboxKind) {
  return {
    variables: ['PATH', 'GIVEN', 'PWD'],
    secrets: [SECRET, folder],
    hostPid: process.pid,
    readOnly: ['/fixed', '/usr', '/probe', ...toolchains.mounts.map(({ to }) => to)],
    absent: [
      join(folder, 'private'),
      folder,
      '/etc/shadow',
      '/home',
      '/run/docker.sock',
      '/var/run/docker.sock',
      '/root/.ssh',
      '/root/.npmrc',
      '/root/.gitconfig',
      '/root/.bashrc',
      fileURLToPath(new URL('../../package.json', import.meta.url)),
    ],
    mounts: [
      '/usr',
      '/etc',
      '/proc',
      '/dev',
      '/tmp',
      '/workspace',
      '/fixed',
      '/probe',
      ...toolchains.mounts.map(({ to }) => to),
      // Docker's own: a read-only view of the kernel's objects, and the folder for standard streams.
      ...(kind === 'docker' ? ['/sys', '/featurearc/streams'] : []),
    ],
  };
}
