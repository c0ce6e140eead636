import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainEnvironment, runProcess, startProcess } from '#process/index.js';
import { probeSandboxes, sandboxMember } from '#sandbox/index.js';

const RUN = fileURLToPath(new URL('../support/run-source.mjs', import.meta.url));
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/sandbox/${name}`, import.meta.url));
const isRoot = process.getuid?.() === 0;
const OTHER_UID = '63999';
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

for (const probe of await probeSandboxes()) {
  const title = probe.usable ? `a killed harness of ${probe.kind}` : `${probe.kind} (skipped: ${probe.reason})`;
  describe.skipIf(!probe.usable)(title, () => {
    it('leaves nothing that its label does not find', async () => {
      const label = `test-killed-${probe.kind}-${folder}`;
      await mkdir(join(folder, 'work'));
      const harness = await startProcess({
        argv: [process.execPath, RUN, fixture('harness-to-kill.ts'), probe.kind, join(folder, 'work'), label],
        env: plainEnvironment(),
      });
      await until(async () => existsSync(join(folder, 'work/ready')));
      await until(async () => (await sleepersIn()).length >= 2);
      process.kill(harness.pid, 'SIGKILL');
      await harness.ended;
      // Bubblewrap dies with its harness by itself; the others are there to be found.
      if (probe.kind === 'bwrap') await until(async () => (await sleepersIn()).length === 0);
      else expect(await sandboxMember(probe.kind).killByLabel(label)).toBeGreaterThan(0);
      await sandboxMember(probe.kind).killByLabel(label);
      expect(await sleepersIn()).toEqual([]);
      expect(await sandboxMember(probe.kind).killByLabel(label)).toBe(0);
      expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(folder);
    });
  });
}

const bwrap = (await probeSandboxes()).find(({ kind }) => kind === 'bwrap');
describe.skipIf(!isRoot || bwrap?.usable !== true)('bubblewrap without root (skipped unless root can lend it)', () => {
  it('isolates, limits processes by the kernel, freezes and kills', async () => {
    const result = await runProcess({
      argv: [
        'setpriv',
        '--reuid',
        OTHER_UID,
        '--regid',
        OTHER_UID,
        '--clear-groups',
        process.execPath,
        RUN,
        fixture('harness-without-root.ts'),
      ],
      env: plainEnvironment(),
      timeoutMs: 50_000,
    });
    expect(result.stderr.toString()).toBe('');
    expect(JSON.parse(result.stdout.toString())).toMatchObject({
      ids: '1000\nCapEff:\t0000000000000000\nnew\n',
      bomb: expect.stringContaining('fork'),
      frozen: true,
      killed: 1,
      ended: 'SIGKILL',
      timedOut: true,
      facts: { enforced: { pids: true, memory: false, network: true, filesystem: true }, oom: null },
      base: 'old',
    });
  });
});

/** Host pids of the fixture's sleepers. */
async function sleepersIn(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    const [program, seconds] = command.split('\0');
    if (program === 'sleep' && (seconds === '4251' || seconds === '4252')) found.push(pid);
  }
  return found;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
