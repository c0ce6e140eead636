import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository, type Repository } from '#git/index.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { type MadeHistory, makeHistory } from '../../../test/support/make-history.js';
import { readStages } from './read-stages.js';

let folder: string;
let history: MadeHistory;
let repository: Repository;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stages-test-'));
  history = await makeHistory(join(folder, 'source.git'));
  repository = await openRepository(join(folder, 'source.git'), { writeTo: join(folder, 'objects') });
});
afterEach(async () => {
  await repository.close();
  await history.repository.close();
  await rm(folder, { recursive: true, force: true });
});

const edit = (name: string) => ({ [`src/${name}.js`]: `${name}\n`, [`test/${name}.test.js`]: `test ${name}\n` });

/** Clones over git's own transport, which the product itself never uses. */
async function cloneBare(options: readonly string[], target: string): Promise<void> {
  const { exitCode, stderr } = await runProcess({
    argv: ['git', 'clone', '-q', '--bare', ...options, `file://${join(folder, 'source.git')}`, target],
    env: { ...plainEnvironment(), HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
  expect({ exitCode, stderr: stderr.toString() }).toMatchObject({ exitCode: 0 });
}

describe('reading stages named by hand', () => {
  it('sorts the commits of a stage by age and takes the last stage’s last commit as checkpoint', async () => {
    const a = await history.commit('a', edit('a'));
    const b = await history.commit('b', edit('b'));
    const c = await history.commit('c', edit('c'));
    const stages = await readStages(repository, { stages: [[b.slice(0, 10), a], [c]] });
    expect(stages.stages.map((stage) => stage.commits.map(({ oid }) => oid))).toEqual([[a, b], [c]]);
    expect(stages.checkpoint.oid).toBe(c);
    expect(stages.path?.map(({ commit }) => commit)).toEqual([a, b, c]);
  });

  it('refuses unknown commits, one commit in two places, and no stages at all', async () => {
    const a = await history.commit('a', edit('a'));
    await expect(readStages(repository, { stages: [['nowhere']] })).rejects.toMatchObject({
      code: 'revision-unknown',
      message: expect.stringContaining('stage 0'),
    });
    await expect(readStages(repository, { stages: [[a], [a]] })).rejects.toMatchObject({ code: 'stage-commit-twice' });
    await expect(readStages(repository, { stages: [] })).rejects.toMatchObject({ code: 'stage-missing' });
    await expect(readStages(repository, { stages: [[a], ['']] })).rejects.toMatchObject({
      code: 'stage-missing',
      message: expect.stringContaining('stage 1'),
    });
  });

  it('names the candidates of an ambiguous prefix', async () => {
    const heads = new Map<string, string>();
    for (let at = 0; ; at += 1) {
      const oid = await repository.writeCommit({ tree: await repository.writeTree(new Map()), message: `${at}` });
      const prefix = oid.slice(0, 4);
      if (heads.has(prefix)) {
        await expect(readStages(repository, { stages: [[prefix]] })).rejects.toMatchObject({
          code: 'stage-commit-ambiguous',
          message: expect.stringContaining('2 commits begin'),
        });
        return;
      }
      heads.set(prefix, oid);
    }
  });

  it('refuses stages in the wrong order and stages outside the checkpoint', async () => {
    const start = await history.commit('start', edit('start'));
    const a = await history.commit('a', edit('a'));
    const b = await history.commit('b', edit('b'));
    await expect(readStages(repository, { stages: [[b], [a]] })).rejects.toMatchObject({ code: 'stage-order' });
    await expect(readStages(repository, { stages: [[a], [b]], checkpoint: a })).rejects.toMatchObject({
      code: 'stage-outside-checkpoint',
    });
    const side = await history.commit('side', edit('side'), [start]);
    await expect(readStages(repository, { stages: [[a], [side]] })).rejects.toMatchObject({
      code: 'stage-outside-checkpoint',
      hint: expect.stringContaining('--checkpoint'),
    });
    const merge = await history.commit('merge', edit('a'), [side, a]);
    const parallel = await readStages(repository, { stages: [[a], [side]], checkpoint: merge });
    expect(parallel.path).toBeNull();
  });

  it('refuses a commit without changes, a stage without source and a stage without tests', async () => {
    const a = await history.commit('a', edit('a'));
    const empty = await history.commit('empty', {});
    const docs = await history.commit('docs', { 'README.md': 'Read me.\n', 'test/a.test.js': 'more\n' });
    const untested = await history.commit('untested', { 'src/a.js': 'more\n' });
    await expect(readStages(repository, { stages: [[a], [empty]] })).rejects.toMatchObject({
      code: 'stage-commit-empty',
    });
    await expect(readStages(repository, { stages: [[docs]] })).rejects.toMatchObject({ code: 'stage-without-source' });
    await expect(readStages(repository, { stages: [[untested]] })).rejects.toMatchObject({
      code: 'stage-without-tests',
    });
  });

  it('takes a merge for its whole branch, and refuses to count a branch twice', async () => {
    const start = await history.commit('start', edit('start'));
    const branch = await history.commit('branch', edit('branch'));
    const tip = await history.commit('tip', edit('tip'));
    const main = await history.commit('main', edit('main'), [start]);
    const merge = await history.commit('merge', { ...edit('branch'), ...edit('tip') }, [main, tip]);
    const alone = await readStages(repository, { stages: [[branch, tip, merge]] });
    expect(alone.stages[0]?.commits.map(({ oid }) => oid)).toEqual([merge]);
    expect(alone.stages[0]?.commits[0]?.changes).toHaveLength(4);
    await expect(readStages(repository, { stages: [[branch], [merge]] })).rejects.toMatchObject({
      code: 'stage-overlap',
    });
  });

  it('says that a clone is shallow where history ends too early', async () => {
    await history.commit('start', edit('start'));
    const a = await history.commit('a', edit('a'));
    const b = await history.commit('b', edit('b'));
    const clone = join(folder, 'shallow.git');
    await cloneBare(['--depth', '1'], clone);
    const shallow = await openRepository(clone, { writeTo: join(folder, 'shallow-objects') });
    await expect(readStages(shallow, { stages: [[b]] })).rejects.toMatchObject({ code: 'clone-shallow' });
    await expect(readStages(shallow, { stages: [[a]] })).rejects.toMatchObject({ code: 'revision-unknown' });
    await shallow.close();
  });

  it('reads a linked worktree like the repository that it belongs to', async () => {
    const a = await history.commit('a', edit('a'));
    const b = await history.commit('b', edit('b'));
    const tree = join(folder, 'linked');
    await repository.git({ args: ['worktree', 'add', '-q', '--detach', tree, a] });
    const linked = await openRepository(tree, { writeTo: join(folder, 'linked-objects') });
    const stages = await readStages(linked, { stages: [['HEAD'], [b]] });
    expect(stages.stages.map(({ commits }) => commits[0]?.oid)).toEqual([a, b]);
    await linked.close();
  });

  it('names what a partial clone lacks', async () => {
    await history.commit('start', edit('start'));
    const a = await history.commit('a', { ...edit('a'), 'src/start.js': 'changed\n' });
    await appendFile(join(folder, 'source.git', 'config'), '[uploadpack]\n\tallowFilter = true\n');
    const clone = join(folder, 'partial.git');
    await cloneBare(['--filter=blob:none'], clone);
    const partial = await openRepository(clone, { writeTo: join(folder, 'partial-objects') });
    await expect(readStages(partial, { stages: [[a]] })).rejects.toMatchObject({
      code: 'clone-partial',
      message: expect.stringMatching(/first [0-9a-f]{40} \(.+\)/),
    });
    await partial.close();
  });
});
