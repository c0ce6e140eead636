import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxKind, SandboxRequest } from './contract.js';
import { openSandbox, probeSandboxes } from './registry.js';

const NO_LIMITS = { pids: null, memoryBytes: null, cpus: null, diskBytes: null };
const probes = await probeSandboxes();

for (const probe of probes) {
  const title = probe.usable ? `the ${probe.kind} sandbox` : `the ${probe.kind} sandbox (skipped: ${probe.reason})`;
  describe.skipIf(!probe.usable)(title, () => contractOf(probe.kind));
}

function contractOf(kind: SandboxKind): void {
  let folder: string;
  let opened: Sandbox[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
    await mkdir(join(folder, 'work'));
    opened = [];
  });
  afterEach(async () => {
    for (const sandbox of opened) await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (request: Partial<SandboxRequest> = {}): Promise<Sandbox> => {
    const sandbox = await openSandbox(kind, {
      mounts: [{ from: join(folder, 'work'), to: '/work', mode: 'rw' }],
      network: 'none',
      limits: NO_LIMITS,
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/work',
      label: `test-${kind}`,
      ...request,
    });
    opened.push(sandbox);
    return sandbox;
  };

  it('runs a command in the mounted folder and writes through to the host', async () => {
    const sandbox = await open();
    const result = await sandbox.exec({ argv: ['sh', '-c', 'pwd; echo hello > made; echo oops >&2; exit 3'] });
    expect(result.exitCode).toBe(3);
    expect(result.stdout.toString().trim()).toBe(sandbox.guestPath('/work'));
    expect(result.stderr.toString()).toBe('oops\n');
    expect(await readFile(join(folder, 'work/made'), 'utf8')).toBe('hello\n');
    await writeFile(join(folder, 'work/by-host'), 'x');
    expect((await sandbox.exec({ argv: ['cat', 'by-host'] })).stdout.toString()).toBe('x');
  });
}
