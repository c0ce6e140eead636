import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delay } from '#kernel/async.js';
import { openSandbox, type Sandbox, toolchainMounts } from '#sandbox/index.js';
import { openUntrustedFolder, withTemporaryFolder } from '#store/index.js';
import type { AgentFacts, AgentSession } from '../contract.js';
import { scripted } from './scripted.js';

interface Bench {
  folder: string;
  workspace: string;
  sandbox: Sandbox;
  session: AgentSession;
  turn(stage: number, options?: { budgetMs?: number; signal?: AbortSignal }): Promise<AgentFacts>;
}

const configuration = (options: Record<string, unknown>) => ({
  ...{ name: 'player', scaffold: 'scripted' as const, version: null, model: null, options },
});

/** A scripted agent in the sandbox without isolation: all that it does is of our own making. */
async function play<T>(stages: unknown[][], work: (bench: Bench) => Promise<T>): Promise<T> {
  return withTemporaryFolder('scripted-test', async (folder) => {
    const workspace = join(folder, 'workspace');
    await mkdir(workspace);
    await mkdir(join(folder, 'native'));
    const toolchains = toolchainMounts();
    const sandbox = await openSandbox('local', {
      mounts: [...toolchains.mounts, { from: workspace, to: '/workspace', mode: 'rw' }],
      network: 'none',
      limits: { pids: null, memoryBytes: null, cpus: null, diskBytes: null },
      env: toolchains.env,
      cwd: '/workspace',
      label: `scripted-test-${folder}`,
    });
    try {
      const session = await scripted.open({
        configuration: configuration({ stages }),
        sandbox,
        ...{ workspace: '/workspace', home: '/featurearc/home', files: openUntrustedFolder(workspace) },
        ...{ sessionId: 's', nativeSessionId: null, modelAccess: null, reference: null, seed: '1', task: 't' },
      });
      const turn: Bench['turn'] = (stage, options = {}) =>
        session.turn({
          ...{ stage, round: 0, prompt: '', promptFile: '', nativeFolder: join(folder, 'native') },
          budgetMs: options.budgetMs ?? 60_000,
          signal: options.signal ?? new AbortController().signal,
        });
      return await work({ folder, workspace, sandbox, session, turn });
    } finally {
      await sandbox.close();
    }
  });
}

describe('a scripted agent', () => {
  it('edits files in order and runs commands in the sandbox', async () => {
    const stage = [
      { write: { path: 'a/b', text: 'one\n' } },
      { append: { path: 'a/b', text: 'two\n' } },
      { replace: { path: 'a/b', old: 'one', new: '$& $1' } },
      { write: { path: 'bytes', base64: Buffer.from([0, 255]).toString('base64') } },
      { move: { from: 'bytes', to: 'moved' } },
      { link: { path: 'link', target: '../outside' } },
      { write: { path: 'tool', text: '#!/bin/sh\necho ran > made\n', executable: true } },
      { write: { path: 'gone', text: '' } },
      { delete: 'gone' },
      { chmod: { path: 'moved', mode: '600' } },
      { run: './tool' },
      { run: ['sh', '-c', 'echo said; exit 4'], mayFail: true },
      { say: 'words\n' },
    ];
    await play([stage], async ({ folder, workspace, turn }) => {
      expect(await turn(0)).toMatchObject({ exitCode: 0, error: null, activity: true, timedOut: false });
      expect(await readFile(join(workspace, 'a/b'), 'utf8')).toBe('$& $1\ntwo\n');
      expect(await readFile(join(workspace, 'moved'))).toEqual(Buffer.from([0, 255]));
      expect((await stat(join(workspace, 'moved'))).mode & 0o777).toBe(0o600);
      expect(await readlink(join(workspace, 'link'))).toBe('../outside');
      expect((await readdir(workspace)).sort()).toEqual(['a', 'link', 'made', 'moved', 'tool']);
      expect(await readFile(join(folder, 'native', 'output.txt'), 'utf8')).toBe('said\nwords\n');
      expect(await turn(5)).toMatchObject({ exitCode: 0, activity: false });
    });
  });

  it.each([
    ['an exit code', [{ exit: 7 }, { write: { path: 'late', text: '' } }], { exitCode: 7, error: null }],
    ['a failing command', [{ run: 'exit 3' }, { write: { path: 'late', text: '' } }], { exitCode: 3 }],
    [
      'a path outside',
      [{ write: { path: '../late', text: '' } }],
      { exitCode: 1, error: expect.stringContaining('..') },
    ],
    ['text that is not there', [{ replace: { path: 'x', old: 'y', new: 'z' } }], { exitCode: 1 }],
    [
      'reported facts',
      [{ report: { refused: true, usage: { input: 5 } } }],
      { refused: true, usage: { input: 5, output: null } },
    ],
    ['a lost session', [{ report: { sessionLost: 'environment' } }], { sessionLost: 'environment' }],
  ])('ends its turn with %s', async (_what, actions, facts) => {
    await play([actions], async ({ folder, workspace, turn }) => {
      expect(await turn(0)).toMatchObject(facts);
      expect([...(await readdir(workspace)), ...(await readdir(folder))]).not.toContain('late');
    });
  });

  it('is held to its time, asleep or at work, and can be cut off', async () => {
    await play([[{ sleep: '10m' }], [{ run: 'sleep 600' }]], async ({ turn }) => {
      expect(await turn(0, { budgetMs: 20 })).toMatchObject({ timedOut: true });
      expect(await turn(1, { budgetMs: 300 })).toMatchObject({ timedOut: true });
      for (const stage of [0, 1]) {
        const cut = new AbortController();
        const ended = turn(stage, { signal: cut.signal });
        await delay(50);
        cut.abort();
        expect((await ended).timedOut).toBe(false);
      }
    });
  });

  it('starts processes that a stage ends, and live ones that it must spare', async () => {
    await play(
      [[{ start: 'sleep 600' }, { start: 'exec sleep 601', live: true }]],
      async ({ sandbox, session, turn }) => {
        await turn(0);
        expect(session.liveProcesses()).toHaveLength(1);
        const killed = await sandbox.killAll({ except: session.liveProcesses() });
        expect(killed.map(({ command }) => command).join()).toContain('600');
        const left = (await sandbox.processes()).map(({ command }) => command).join();
        expect(left).toContain('601');
        expect(left).not.toContain('600');
        await session.close();
        expect(await sandbox.processes()).toEqual([]);
      },
    );
  });

  it('takes its script from a file, in YAML, and names what is wrong in it', async () => {
    await withTemporaryFolder('script-test', async (folder) => {
      await writeFile(join(folder, 'good.yaml'), 'stages:\n  - - write: {path: a, text: b}\n');
      const resolved = await scripted.resolve?.(configuration({ file: 'good.yaml' }), folder);
      expect(resolved?.options).toEqual({ stages: [[{ write: { path: 'a', text: 'b' } }]] });
      await writeFile(join(folder, 'bad.yaml'), 'stages: [[{write: {path: a}}, {jump: 3}]]\n');
      await expect(scripted.resolve?.(configuration({ file: 'bad.yaml' }), folder)).rejects.toMatchObject({
        code: 'script-invalid',
        message: expect.stringContaining('bad.yaml: field stages.0.1'),
      });
      await writeFile(join(folder, 'torn.yaml'), 'stages: [');
      await expect(scripted.resolve?.(configuration({ file: 'torn.yaml' }), folder)).rejects.toMatchObject({
        code: 'script-not-yaml',
      });
    });
  });
});
