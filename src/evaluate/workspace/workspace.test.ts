import { chmod, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scaffoldNamed } from '#agents/index.js';
import { diffTrees } from '#git/index.js';
import { runProcess } from '#process/index.js';
import type { Sandbox } from '#sandbox/index.js';
import { openUntrustedFolder, type TaskPackage } from '#store/index.js';
import { withTask } from '../../../test/support/with-task.js';
import { makeCheckpoint, pruneCheckpoints, restoreCheckpoint } from './checkpoints.js';
import { livePlaces } from './live-places.js';
import { makeWorkspace } from './make-workspace.js';
import { referenceHand } from './reference-hand.js';
import { openRunRepository } from './run-repository.js';
import { changesBetween, takeSnapshot, treeOf } from './take-snapshot.js';

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
const sh = async (cwd: string, line: string): Promise<string> => {
  const result = await runProcess({ argv: ['sh', '-c', line], cwd, env });
  return result.stdout.toString('latin1') + result.stderr.toString('latin1');
};
const bundleOf = (task: TaskPackage) => ({ bundle: task.bundle, commit: task.initialCommit });

describe('the workspace of a run', () => {
  it('is a clean git repository of one commit with no object, remote or reflog besides', async () => {
    await withTask(async (task, folder) => {
      const workspace = join(folder, 'w');
      await makeWorkspace(workspace, { from: bundleOf(task), owned: ['node_modules', 'odd name'] });
      await mkdir(join(workspace, 'node_modules'));
      await writeFile(join(workspace, 'node_modules', 'x'), '');
      expect(await sh(workspace, 'git status --porcelain --ignored=no')).toBe('');
      expect(await sh(workspace, 'git rev-list --all --count; git remote; git reflog; git stash list')).toBe('1\n');
      const reachable = await sh(workspace, 'git rev-list --objects --all | wc -l');
      expect(await sh(workspace, 'git cat-file --batch-check --batch-all-objects | wc -l')).toBe(reachable);
      expect(
        await sh(
          workspace,
          'git log --format=%s && echo x >> README.md && git commit -qam mine && git log --oneline | wc -l',
        ),
      ).toBe('Initial state\n2\n');
    });
  });

  it('can begin with any reference state, again as one commit of that state alone', async () => {
    await withTask(async (task, folder) => {
      const repository = await openRunRepository(join(folder, 'run.git'), task);
      const workspace = join(folder, 'w');
      const tree = (await repository.commit('refs/states/2')).tree;
      await makeWorkspace(workspace, { from: { repository, tree }, owned: [] });
      expect(await sh(workspace, 'git rev-parse HEAD^{tree}')).toBe(`${tree}\n`);
      expect(await sh(workspace, 'git status --porcelain; git rev-list --all --count')).toBe('1\n');
      await repository.close();
    });
  });
});

describe('a snapshot', () => {
  it('holds hostile workspaces: odd names, links, fifos, a deleted .git, read-only folders, huge files', async () => {
    await withTask(async (task, folder) => {
      const repository = await openRunRepository(join(folder, 'run.git'), task);
      const workspace = join(folder, 'w');
      await makeWorkspace(workspace, { from: bundleOf(task), owned: ['owned'] });
      await sh(
        workspace,
        'rm -rf .git; mkfifo pipe; printf x > "$(printf "a\\351\\n b")"; mkdir -p owned sub/.git; echo x > owned/x; echo y > sub/.git/config',
      );
      await symlink('/etc/passwd', join(workspace, 'link'));
      await writeFile(join(workspace, 'huge'), '');
      await truncate(join(workspace, 'huge'), 2 ** 40);
      await mkdir(join(workspace, 'locked'));
      await writeFile(join(workspace, 'locked', 'file'), 'kept');
      await chmod(join(workspace, 'locked'), 0o500);
      await chmod(workspace, 0o500);
      const request = { repository, workspace, owned: ['owned'], memory: new Map(), stage: 0, parent: null };
      const snapshot = await takeSnapshot(request);
      expect(snapshot.lost).toEqual([
        { path: 'huge', why: 'too-large' },
        { path: 'pipe', why: 'fifo' },
      ]);
      const added = diffTrees(await repository.files('refs/states/0'), snapshot.files).map(({ path }) => path);
      expect(added).toEqual(['a\xe9\n b', 'link', 'locked/file']);
      expect(snapshot.files.get('link')?.mode).toBe('120000');
      expect((await takeSnapshot(request)).commit).toBe(snapshot.commit);
      expect((await repository.commit('refs/stages/0')).tree).toBe(snapshot.tree);
      const changes = await changesBetween(repository, 'refs/states/0', snapshot.commit);
      expect(changes.paths).toEqual(added);
      expect(changes.patch.toString('latin1')).toContain('+kept');
      await repository.close();
    });
  });
});

describe('a checkpoint', () => {
  it('brings workspace, .git, home and tmp back, whatever an agent did meanwhile', async () => {
    await withTask(async (task, folder) => {
      const live = livePlaces(join(folder, 'live'));
      await makeWorkspace(live.workspace, { from: bundleOf(task), owned: [] });
      await mkdir(live.home);
      await mkdir(live.tmp);
      await sh(
        live.workspace,
        'echo changed >> README.md; git commit -qam mine; echo dirty >> README.md; mkfifo pipe; chmod 700 src',
      );
      await writeFile(join(live.home, '.session'), 'one');
      const checkpoints = join(folder, 'checkpoints');
      const look =
        'git log --format=%H; git status --porcelain; ls -lnR --time-style=full-iso; cat README.md ../home/.session';
      const before = await sh(live.workspace, look);
      for (const stage of [0, 1, 2]) {
        expect(await makeCheckpoint(checkpoints, stage, live)).toBeNull();
        await mkdir(join(checkpoints, '.9.part'), { recursive: true });
        await pruneCheckpoints(checkpoints, stage);
      }
      expect(await sh(checkpoints, 'ls -A')).toBe('1\n2\n');
      await sh(live.workspace, 'rm -rf .git src; echo two > ../home/.session; chmod 500 ../home .');
      await restoreCheckpoint(checkpoints, 2, live);
      expect(await sh(live.workspace, look)).toBe(before);
      await rm(live.workspace, { recursive: true });
      await restoreCheckpoint(checkpoints, 1, live);
      expect(await sh(live.workspace, look)).toBe(before);
      await expect(restoreCheckpoint(checkpoints, 7, live)).rejects.toMatchObject({ code: 'checkpoint-missing' });
    });
  });
});

describe('host-side agents', () => {
  const play = async (name: 'oracle' | 'faulty', options: Record<string, unknown>) =>
    withTask(async (task, folder) => {
      const repository = await openRunRepository(join(folder, 'run.git'), task);
      const workspace = join(folder, 'w');
      await makeWorkspace(workspace, { from: bundleOf(task), owned: [] });
      const files = openUntrustedFolder(workspace);
      const session = await scaffoldNamed(name).open({
        configuration: { name, scaffold: name, version: null, model: null, options },
        sandbox: {} as Sandbox,
        workspace: '/workspace',
        home: '/featurearc/home',
        files,
        sessionId: 'session',
        nativeSessionId: null,
        modelAccess: null,
        reference: referenceHand(repository, task, files),
        seed: '1',
        task: task.task.id,
      });
      const turn = { round: 0, prompt: '', promptFile: '', budgetMs: 1000, nativeFolder: folder };
      const found: { deviates: string[]; source: string; error: string | null }[] = [];
      for (const stage of [0, 1, 2]) {
        const facts = await session.turn({ ...turn, stage, signal: new AbortController().signal });
        const reference = (await repository.commit(`refs/states/${stage + 1}`)).tree;
        const { paths } = await changesBetween(repository, reference, await treeOf(repository, workspace, []));
        found.push({
          deviates: paths,
          source: await readFile(join(workspace, 'src/slug.js'), 'utf8'),
          error: facts.error,
        });
      }
      await repository.close();
      return found;
    });

  it('oracle arrives at every reference state', async () => {
    const found = await play('oracle', {});
    expect(found.map(({ deviates, error }) => [deviates, error])).toEqual([
      [[], null],
      [[], null],
      [[], null],
    ]);
  });

  it('faulty spoils one line of source that parses, keeps it through later stages, and repeats itself by seed', async () => {
    const found = await play('faulty', { stage: 0, seed: 7 });
    expect(found.map(({ deviates, error }) => [deviates, error])).toEqual(Array(3).fill([['src/slug.js'], null]));
    const honest = await play('oracle', {});
    for (const [stage, { source }] of found.entries()) {
      const lines = honest[stage]?.source.split('\n') ?? [];
      expect(source.split('\n').filter((line, index) => line !== lines[index])).toHaveLength(1);
    }
    expect(await play('faulty', { stage: 0, seed: 7 })).toEqual(found);
  });

  it('faulty does a stage well before its time, and spoils as wished', async () => {
    const found = await play('faulty', { stage: 1, mutation: 'string', match: 'separator' });
    expect(found[0]?.deviates).toEqual([]);
    expect(found[1]?.source).toContain("const separator = options.separator ?? '';");
    expect(found[2]?.source).toContain("const separator = options.separator ?? '';");
    const none = await play('faulty', { stage: 0, match: 'nowhere' });
    expect(none[0]?.error).toMatch(/no line that can be spoilt/);
  });
});
