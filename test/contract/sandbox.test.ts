import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GATEWAY_FOLDER,
  GATEWAY_SOCKET,
  openSandbox,
  probeSandboxes,
  type Sandbox,
  type SandboxKind,
  type SandboxRequest,
  sandboxMember,
  toolchainMounts,
} from '#sandbox/index.js';

const NO_LIMITS = { pids: null, memoryBytes: null, cpus: null, diskBytes: null };
const MIB = 1024 * 1024;
const toolchains = toolchainMounts();

for (const probe of await probeSandboxes()) {
  const title = probe.usable ? `the ${probe.kind} sandbox` : `the ${probe.kind} sandbox (skipped: ${probe.reason})`;
  describe.skipIf(!probe.usable)(title, () => {
    const at = placeOf(probe.kind);
    describe('running', () => runsCommands(at));
    describe('files', () => keepsFilesApart(at, probe.isolating));
    describe('leftovers', () => endsEverything(at));
    describe('limits', () => holdsLimits(at));
    describe('network', () => reachesTheGateway(at, probe.isolating));
  });
}

interface Place {
  kind: SandboxKind;
  /** A fresh folder of the test; `work` in it is mounted at /work. */
  folder: () => string;
  open: (request?: Partial<SandboxRequest>) => Promise<Sandbox>;
}

function placeOf(kind: SandboxKind): Place {
  let folder = '';
  let opened: Sandbox[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
    await mkdir(join(folder, 'work'));
    opened = [];
  });
  afterEach(async () => {
    for (const sandbox of opened) await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    kind,
    folder: () => folder,
    open: async (request = {}) => {
      const sandbox = await openSandbox(kind, {
        network: 'none',
        limits: NO_LIMITS,
        env: toolchains.env,
        cwd: '/work',
        label: labelOf(kind, folder),
        ...request,
        mounts: [
          { from: join(folder, 'work'), to: '/work', mode: 'rw' },
          ...toolchains.mounts,
          ...(request.mounts ?? []),
        ],
      });
      opened.push(sandbox);
      return sandbox;
    },
  };
}

function labelOf(kind: SandboxKind, folder: string): string {
  return `test-${kind}-${folder}`;
}

/** Output of a shell line, without its last line break; fails the test where the line fails. */
async function sh(sandbox: Sandbox, line: string): Promise<string> {
  const result = await sandbox.exec({ argv: ['sh', '-c', line] });
  expect({ line, exitCode: result.exitCode, stderr: result.stderr.toString() }).toMatchObject({ exitCode: 0 });
  return result.stdout.toString().trimEnd();
}

/** Says what it waited for, where a test would otherwise only run out of time. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function runsCommands({ folder, open }: Place): void {
  it('runs a command in the mounted folder and writes through to the host', async () => {
    const sandbox = await open();
    const result = await sandbox.exec({ argv: ['sh', '-c', 'pwd; echo hello > made; echo oops >&2; exit 3'] });
    expect(result).toMatchObject({ exitCode: 3, signal: null, timedOut: false, truncated: false });
    expect(result.stdout.toString().trim()).toBe(sandbox.guestPath('/work'));
    expect(result.stderr.toString()).toBe('oops\n');
    expect(await readFile(join(folder(), 'work/made'), 'utf8')).toBe('hello\n');
    await writeFile(join(folder(), 'work/by-host'), 'x');
    expect(await sh(sandbox, 'cat by-host')).toBe('x');
  });

  it('passes arguments and variables verbatim, and the variables of one command to no other', async () => {
    const sandbox = await open({ env: { ...toolchains.env, GIVEN: ' a "b"\n$c ' } });
    const argv = ['node', '-p', 'JSON.stringify([process.argv.slice(1), process.env.GIVEN, process.env.MORE])', '--'];
    const odd = ['two words', "it's", '$HOME', '*', '', 'ä', 'line\nbreak'];
    const first = await sandbox.exec({ argv: [...argv, ...odd], env: { MORE: 'yes' } });
    expect(JSON.parse(first.stdout.toString())).toEqual([odd, ' a "b"\n$c ', 'yes']);
    const second = await sandbox.exec({ argv });
    expect(JSON.parse(second.stdout.toString())).toEqual([[], ' a "b"\n$c ', null]);
  });

  it('gives standard input, and lets /dev/stdin, /dev/stdout and /dev/stderr be opened anew', async () => {
    const sandbox = await open();
    const result = await sandbox.exec({
      argv: ['sh', '-c', 'cat /dev/stdin > /dev/stdout; echo e > /dev/stderr'],
      stdin: Buffer.from('in\0put'),
    });
    expect(result.stderr.toString()).toBe('e\n');
    expect(result.stdout.toString()).toBe('in\0put');
    expect((await sandbox.exec({ argv: ['cat'] })).stdout.length).toBe(0);
  });

  it('tells a missing program by 127 and a signal by its name', async () => {
    const sandbox = await open();
    expect((await sandbox.exec({ argv: ['no-such-program'] })).exitCode).toBe(127);
    expect(await sandbox.exec({ argv: ['sh', '-c', 'kill -SEGV $$'] })).toMatchObject({
      exitCode: 139,
      signal: 'SIGSEGV',
    });
  });

  it('runs several commands at a time', async () => {
    const sandbox = await open();
    const results = await Promise.all([1, 2, 3].map((n) => sandbox.exec({ argv: ['sh', '-c', `echo ${n}`] })));
    expect(results.map(({ stdout }) => stdout.toString())).toEqual(['1\n', '2\n', '3\n']);
  });

  it('cuts 200 MB of output at the cap, in memory and in a file', async () => {
    const sandbox = await open();
    const argv = ['sh', '-c', 'head -c 200000000 /dev/zero; echo end >&2'];
    const held = await sandbox.exec({ argv, maxOutputBytes: MIB });
    expect(held).toMatchObject({ exitCode: 0, truncated: true });
    expect(held.stdout.length).toBe(MIB);
    expect(held.stderr.toString()).toBe('end\n');
    const stdoutFile = join(folder(), 'out');
    const filed = await sandbox.exec({ argv, maxOutputBytes: MIB, stdoutFile });
    expect(filed).toMatchObject({ exitCode: 0, truncated: true, stdout: Buffer.alloc(0) });
    expect((await stat(stdoutFile)).size).toBe(MIB);
  });

  it('fills an output file while the command runs', async () => {
    const sandbox = await open();
    const stdoutFile = join(folder(), 'out');
    const running = await sandbox.start({ argv: ['sh', '-c', 'echo first; sleep 1000'], stdoutFile });
    await until(async () => (await readFile(stdoutFile, 'utf8')) === 'first\n');
    await running.kill();
    expect(await running.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false });
  });
}

function keepsFilesApart({ folder, open, kind }: Place, isolating: boolean): void {
  it.runIf(isolating)('does not let a read-only folder be written', async () => {
    await mkdir(join(folder(), 'fixed'), { mode: 0o777 });
    await chmod(join(folder(), 'fixed'), 0o777);
    await writeFile(join(folder(), 'fixed/file'), 'kept');
    await chmod(join(folder(), 'fixed/file'), 0o666);
    const sandbox = await open({ mounts: [{ from: join(folder(), 'fixed'), to: '/fixed', mode: 'ro' }] });
    const result = await sandbox.exec({
      argv: ['sh', '-c', 'echo x > /fixed/file; echo x > /fixed/new; echo x > /usr/x'],
    });
    expect(result.exitCode).not.toBe(0);
    expect(await readdir(join(folder(), 'fixed'))).toEqual(['file']);
    expect(await readFile(join(folder(), 'fixed/file'), 'utf8')).toBe('kept');
  });

  it('drops what is written to an overlay, but not before the sandbox closes', async () => {
    const base = join(folder(), 'base');
    await mkdir(join(base, 'deep'), { recursive: true });
    await writeFile(join(base, 'deep/file'), 'old');
    const sandbox = await open({ mounts: [{ from: base, to: '/base', mode: 'overlay' }] });
    const inside = sandbox.guestPath('/base');
    await sh(sandbox, `echo new > ${inside}/deep/file; echo more > ${inside}/more`);
    expect(await sh(sandbox, `cat ${inside}/deep/file ${inside}/more`)).toBe('new\nmore');
    await sandbox.close();
    expect(await readFile(join(base, 'deep/file'), 'utf8')).toBe('old');
    expect(await readdir(base)).toEqual(['deep']);
  });

  it.runIf(isolating)('mounts a further folder for one command alone', async () => {
    await mkdir(join(folder(), 'report'));
    const sandbox = await open();
    const mounts = [{ from: join(folder(), 'report'), to: '/report', mode: 'rw' as const }];
    const result = await sandbox.exec({ argv: ['sh', '-c', 'echo ok > /report/lines'], mounts });
    expect(result.exitCode).toBe(0);
    expect(await readFile(join(folder(), 'report/lines'), 'utf8')).toBe('ok\n');
    expect((await sandbox.exec({ argv: ['ls', '/report'] })).exitCode).not.toBe(0);
  });

  it('keeps /tmp from one command to the next', async () => {
    const sandbox = await open();
    await sh(sandbox, `echo kept > ${sandbox.guestPath('/tmp')}/file`);
    expect(await sh(sandbox, `cat ${sandbox.guestPath('/tmp')}/file`)).toBe('kept');
  });

  it('takes a workspace over without following the links in it', async () => {
    const victim = join(folder(), 'victim');
    await mkdir(join(victim, 'below'), { recursive: true });
    await symlink(victim, join(folder(), 'work/link'));
    await symlink('/etc/shadow', join(folder(), 'work/shadow'));
    const before = [await lstat(victim), await lstat('/etc/shadow')];
    const sandbox = await open();
    await sh(sandbox, 'rm shadow link; echo mine > file');
    const after = [await lstat(victim), await lstat('/etc/shadow')];
    expect(after.map(({ uid, ctimeMs }) => [uid, ctimeMs])).toEqual(before.map(({ uid, ctimeMs }) => [uid, ctimeMs]));
  });

  it('refuses a missing folder and a writable system folder, each by name', async () => {
    const missing = open({ mounts: [{ from: join(folder(), 'no'), to: '/no', mode: 'ro' }] });
    await expect(missing).rejects.toMatchObject({ code: 'mount-missing', kind: 'input' });
    const wide = open({ mounts: [{ from: '/etc', to: '/x', mode: 'rw' }] });
    await expect(wide).rejects.toMatchObject({ code: 'mount-too-wide', kind: 'input' });
    expect(await belongingsOf(labelOf(kind, folder()))).toEqual([]);
  });
}

function endsEverything({ kind, folder, open }: Place): void {
  const DAEMON = 'setsid sh -c "setsid sleep 4242 & exit" </dev/null >/dev/null 2>&1 &';

  it('ends a command that ignores SIGTERM at its time limit, with what it started', async () => {
    const sandbox = await open();
    const line = `trap '' TERM; ${DAEMON} while :; do sleep 0.1; done`;
    const result = await sandbox.exec({ argv: ['sh', '-c', line], timeoutMs: 300 });
    expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL', survivors: null });
    expect(await sandbox.processes()).toEqual([]);
  });

  it('ends daemons that a finished command left, and names them', async () => {
    const sandbox = await open();
    const result = await sandbox.exec({ argv: ['sh', '-c', `${DAEMON} sleep 0.2`] });
    expect(result.exitCode).toBe(0);
    expect(result.survivors?.join()).toContain('sleep');
    expect(await sandbox.processes()).toEqual([]);
  });

  it('does nothing where a command is killed that has ended, also while another one runs', async () => {
    const sandbox = await open();
    const live = await sandbox.start({ argv: ['sh', '-c', 'sleep 4246'] });
    const ended = await sandbox.start({ argv: ['true'] });
    await ended.ended;
    await ended.kill();
    expect((await ended.ended).exitCode).toBe(0);
    await until(async () => (await sandbox.processes()).some(({ command }) => command === 'sleep 4246'));
    await live.kill();
    await live.kill();
    expect(await live.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('lists and kills everything but the trees to be kept', async () => {
    const sandbox = await open();
    const live = await sandbox.start({ argv: ['sh', '-c', `sleep 4243 & ${DAEMON} wait`] });
    await until(
      async () => (await sandbox.processes()).filter(({ command }) => command.startsWith('sleep')).length === 2,
    );
    // The daemon belongs to the kept tree until the shell between them has ended.
    let killed: string[] = [];
    await until(async () => {
      killed = (await sandbox.killAll({ except: [live.pid] })).map(({ command }) => command);
      return killed.length > 0;
    });
    expect(killed).toEqual(['sleep 4242']);
    expect((await sandbox.processes()).some(({ command }) => command === 'sleep 4243')).toBe(true);
    const rest = await sandbox.killAll();
    expect(rest.map(({ command }) => command)).toContain('sleep 4243');
    await live.ended;
    expect(await sandbox.processes()).toEqual([]);
  });

  it('freezes, kills while frozen, and thaws what is left', async () => {
    const sandbox = await open();
    const writer = 'while :; do echo x >> log; done';
    const live = await sandbox.start({ argv: ['sh', '-c', `setsid sh -c '${writer}' & wait`] });
    const log = join(folder(), 'work/log');
    await until(async () => existsSync(log));
    await sandbox.freeze();
    const frozenAt = (await stat(log)).size;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await stat(log)).size).toBe(frozenAt);
    await sandbox.thaw();
    await until(async () => (await stat(log)).size > frozenAt);
    await sandbox.freeze();
    expect((await sandbox.killAll()).length).toBeGreaterThan(0);
    expect(await sandbox.processes()).toEqual([]);
    await sandbox.thaw();
    await live.ended;
  });

  it('kills by label what a dead harness left', async () => {
    const label = `test-dead-${kind}-${folder()}`;
    const sandbox = await open({ label });
    const live = await sandbox.start({ argv: ['sh', '-c', `${DAEMON} sleep 4244`] });
    await until(async () => (await sandbox.processes()).length >= 3);
    expect(await sandboxMember(kind).killByLabel(`${label}-of-another`)).toBe(0);
    expect(await sandboxMember(kind).killByLabel(label)).toBeGreaterThan(0);
    await live.ended.catch(() => undefined);
    expect(await sandbox.processes()).toEqual([]);
    expect(await belongingsOf(label)).toEqual([]);
  });

  it('closes twice, kills what runs, and leaves no process, mount or folder', async () => {
    const label = labelOf(kind, folder());
    const sandbox = await open();
    const live = await sandbox.start({ argv: ['sh', '-c', `${DAEMON} sleep 4245`] });
    expect((await belongingsOf(label)).length).toBeGreaterThan(0);
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    await live.ended;
    expect(existsSync(`/proc/${live.pid}`)).toBe(false);
    const mounted = await readFile('/proc/self/mountinfo', 'utf8');
    expect(mounted).not.toContain(folder());
    expect(mounted).not.toContain('/run/featurearc');
    expect(await belongingsOf(label)).toEqual([]);
    expect(await sandboxMember(kind).killByLabel(label)).toBe(0);
  });
}

/** Folders and control groups on the host that belong to sandboxes of a label. */
async function belongingsOf(label: string): Promise<string[]> {
  const prefix = createHash('sha256').update(label).digest('hex').slice(0, 20);
  const places = [tmpdir(), '/sys/fs/cgroup/featurearc'];
  for (const controller of await readdir('/sys/fs/cgroup').catch(() => [])) {
    places.push(`/sys/fs/cgroup/${controller}/featurearc`);
  }
  const names = await Promise.all(places.map((place) => readdir(place).catch(() => [])));
  return names.flat().filter((name) => name.includes(prefix));
}

function holdsLimits({ open, folder }: Place): void {
  it('survives a fork bomb under a limit of processes', async () => {
    const sandbox = await open({ limits: { ...NO_LIMITS, pids: 64 } });
    if (!(await sandbox.facts()).enforced.pids) return;
    const bomb =
      'const {spawn} = require("child_process"); for (let i = 0; i < 300; i++) spawn("sleep", ["1000"]).on("error", () => console.log("refused"))';
    const result = await sandbox.exec({ argv: ['node', '-e', `${bomb}; setTimeout(() => process.exit(), 500)`] });
    expect(result.exitCode).toBe(0);
    expect(result.stdout.toString()).toContain('refused');
    expect(await sandbox.processes()).toEqual([]);
    expect(await sh(sandbox, 'echo alive')).toBe('alive');
  });

  it.skipIf(!existsSync('/usr/bin/perl'))('ends a bomb that forks without end (needs perl)', async () => {
    const sandbox = await open({ limits: { ...NO_LIMITS, pids: 64, cpus: 1 } });
    if (!(await sandbox.facts()).enforced.pids) return;
    const bomb = ['perl', '-e', 'for (;;) { fork }'];
    const result = await sandbox.exec({ argv: bomb, timeoutMs: 500 });
    expect(result.timedOut).toBe(true);
    expect(await sandbox.processes()).toEqual([]);
    const live = await sandbox.start({ argv: bomb });
    await until(async () => (await sandbox.processes()).length > 30);
    expect((await sandbox.killAll()).length).toBeGreaterThan(0);
    await live.ended;
    expect(await sandbox.processes()).toEqual([]);
  });

  it('kills a command that takes too much memory and says so', async () => {
    const sandbox = await open({ limits: { ...NO_LIMITS, memoryBytes: 128 * MIB } });
    if (!(await sandbox.facts()).enforced.memory) return;
    const hog = 'const a = []; for (;;) a.push(Buffer.alloc(1048576, 1))';
    const result = await sandbox.exec({ argv: ['node', '-e', hog] });
    expect(result).toMatchObject({ signal: 'SIGKILL', oom: true });
    expect((await sandbox.exec({ argv: ['true'] })).oom).toBe(false);
    const facts = await sandbox.facts();
    expect(facts.oom).toBe(true);
    expect(facts.peakMemoryBytes).toBeGreaterThan(64 * MIB);
  });

  it('ends what writes more than the disk limit, and says so', async () => {
    const sandbox = await open({ limits: { ...NO_LIMITS, diskBytes: 20 * MIB } });
    const line = 'i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > part-$i || exit 9; done';
    const result = await sandbox.exec({ argv: ['sh', '-c', line] });
    expect(result.exitCode).toBeNull();
    expect(await sandbox.facts()).toMatchObject({ diskFull: true, enforced: { disk: false } });
    expect((await readdir(join(folder(), 'work'))).length).toBeGreaterThan(0);
  });

  it('refuses one file beyond the disk limit at once', async () => {
    const sandbox = await open({ limits: { ...NO_LIMITS, diskBytes: 20 * MIB } });
    const result = await sandbox.exec({ argv: ['sh', '-c', 'head -c 3000000000 /dev/zero > big'] });
    expect(result.exitCode).not.toBe(0);
    expect((await stat(join(folder(), 'work/big'))).size).toBeLessThanOrEqual(20 * MIB);
  });

  it('counts processor time and keeps its facts after the close', async () => {
    const sandbox = await open();
    await sandbox.exec({ argv: ['node', '-e', 'const t = Date.now(); while (Date.now() - t < 100);'] });
    await sandbox.close();
    const facts = await sandbox.facts();
    if (facts.cpuMs !== null) expect(facts.cpuMs).toBeGreaterThan(0);
  });
}

function reachesTheGateway({ folder, open }: Place, isolating: boolean): void {
  it('reaches the gateway by its socket, and by a port where asked', async () => {
    const sockets = join(folder(), 'sockets');
    const socket = join(sockets, GATEWAY_SOCKET);
    await mkdir(sockets);
    const server = createServer((connection) => connection.on('data', (data) => connection.end(`gateway: ${data}`)));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      await chmod(socket, 0o666);
      const sandbox = await open({ network: { socketDir: sockets } });
      const ask = (to: unknown): string[] => {
        const script = `const c = require('net').connect(${JSON.stringify(to)}); c.write('hi'); c.pipe(process.stdout);`;
        return ['node', '-e', `${script} c.on('end', () => { process.exitCode = 7; })`];
      };
      const inside = `${sandbox.guestPath(GATEWAY_FOLDER)}/${GATEWAY_SOCKET}`;
      expect((await sandbox.exec({ argv: ask(inside) })).stdout.toString()).toBe('gateway: hi');
      const gatewayPort = 20_000 + Math.floor(Math.random() * 20_000);
      const result = await sandbox.exec({ argv: ask({ port: gatewayPort, host: '127.0.0.1' }), gatewayPort });
      expect(result.stderr.toString()).toBe('');
      expect(result).toMatchObject({ exitCode: 7, stdout: Buffer.from('gateway: hi') });
      const missing = await sandbox.exec({ argv: ['no-such-program'], gatewayPort });
      expect(missing.exitCode).toBe(127);
    } finally {
      server.close();
    }
  });

  it.runIf(isolating)('has a loopback of its own in both versions, and nothing else', async () => {
    const sandbox = await open();
    const echo = `
      const net = require('net'), out = {};
      const at = (host) => new Promise((done) => {
        const server = net.createServer((c) => c.end()).on('error', (e) => done(e.code)).listen(0, host, () => {
          net.connect(server.address().port, host).on('error', (e) => done(e.code)).on('connect', () => { server.close(); done('ok'); }).resume();
        });
      });
      (async () => {
        out.v4 = await at('127.0.0.1'); out.v6 = await at('::1'); out.name = await at('localhost');
        out.interfaces = Object.keys(require('os').networkInterfaces());
        out.lookup = await require('dns').promises.lookup('example.org').catch((e) => e.code);
        out.outside = await new Promise((done) => net.connect(80, '192.0.2.1').on('error', (e) => done(e.code)).on('connect', () => done('connected')));
        console.log(JSON.stringify(out)); process.exit();
      })();`;
    const result = await sandbox.exec({ argv: ['node', '-e', echo], timeoutMs: 20_000 });
    expect(JSON.parse(result.stdout.toString())).toMatchObject({
      v4: 'ok',
      v6: 'ok',
      name: 'ok',
      interfaces: ['lo'],
      lookup: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
      outside: 'ENETUNREACH',
    });
  });
}
