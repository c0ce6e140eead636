import { describe, expect, it } from 'vitest';
import type { Suite } from '#documents/suite.js';
import type { RunnerName } from '#documents/test-identity.js';
import { createRepository, type FileMode, keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { runnerNamed } from '#testbed/index.js';
import { composeTree } from './compose-tree.js';

type Files = Record<string, string | { link: string }>;

async function treeOf(repository: Repository, files: Files): Promise<TreeFiles> {
  const tree: TreeFiles = new Map();
  for (const [path, held] of Object.entries(files)) {
    const [mode, text]: [FileMode, string] = typeof held === 'string' ? ['100644', held] : ['120000', held.link];
    tree.set(keyOfText(path), { mode, oid: await repository.writeBlob(Buffer.from(text)) });
  }
  return tree;
}

/** Composes with one hidden file; returns paths with their texts, and the marks. */
function compose(runner: RunnerName, hidden: string, before: Files, after: Files, snapshot: Files) {
  return withTemporaryFolder('compose-test', async (folder) => {
    const repository = await createRepository(`${folder}/objects.git`);
    const suite: Suite = {
      ...{ stage: 0, gateDigest: '', twins: [], quarantined: [], overlay: [hidden], manifests: [], tests: [] },
      runs: [{ id: 'r', runner, cwd: '', project: null, files: [hidden], timeoutMs: 1, perTestTimeoutMs: 1 }],
      setAside: runnerNamed(runner).testFilePatterns.map((pattern) => pattern.source),
      referenceSuspicions: [],
    };
    const composed = await composeTree({
      ...{ repository, suite, installed: ['my-plugin'] },
      snapshot: await treeOf(repository, snapshot),
      files: {
        tests: new Map([[hidden, { executable: false, content: Buffer.from('hidden') }]]),
        manifests: new Map(),
      },
      states: [await treeOf(repository, before), await treeOf(repository, after)],
    });
    const texts: Record<string, string> = {};
    for (const [path, { mode, oid }] of composed.files)
      texts[path] = `${mode === '120000' ? '-> ' : ''}${await repository.readBlob(oid)}`;
    await repository.close();
    return { texts, marks: composed.marks.map(({ mark, what }) => `${mark} ${what}`), unreadable: composed.unreadable };
  });
}

describe('composing a graded tree', () => {
  it('leaves a module to the agent that the project itself has, and removes one that only stands in the way', async () => {
    const before = { 'src/packaging/version.py': 'old', 'tests/test_a.py': 'a' };
    const { texts, marks } = await compose(
      'pytest',
      'tests/test_a.py',
      before,
      { ...before, 'types.py': 'ours' },
      {
        ...before,
        'src/packaging/version.py': 'the agent’s',
        'types.py': 'the agent’s',
        'src/pkg/json.py': 'inside a package',
        'json.py': 'shadow',
        'my_plugin.py': 'shadow',
        'tests/logging.py': 'shadow',
        'src/__pycache__/x.cpython-311.pyc': 'abcd\u0000\u0000\u0000\u0000',
      },
    );
    expect(texts).toEqual({
      'src/packaging/version.py': 'the agent’s',
      'types.py': 'the agent’s',
      'src/pkg/json.py': 'inside a package',
      'tests/test_a.py': 'hidden',
    });
    expect(marks.map((mark) => mark.split(':')[0]).sort()).toEqual([
      'reset json.py',
      'reset my_plugin.py',
      'reset tests/logging.py',
    ]);
  });

  it('takes steering files from the reference: changed, added, removed', async () => {
    const before = { 'conftest.py': 'old', 'pytest.ini': '[pytest]\n' };
    const after = { 'conftest.py': 'new', 'pytest.ini': '[pytest]\n' };
    const own = { 'conftest.py': 'mine', 'sub/conftest.py': 'mine' };
    const { texts, marks } = await compose('pytest', 'tests/test_a.py', before, after, own);
    expect(texts).toEqual({ 'conftest.py': 'new', 'pytest.ini': '[pytest]\n', 'tests/test_a.py': 'hidden' });
    expect(marks).toHaveLength(3);
    // What the agent merely left as it was is no deed of its own.
    expect((await compose('pytest', 'tests/test_a.py', before, after, before)).marks).toEqual([]);
  });

  it('clears links, files and folders out of the way of hidden files', async () => {
    const state = { 'test/a.test.js': 'a', 'package.json': '{"name":"x","scripts":{}}' };
    for (const own of [
      { test: { link: '/etc' } },
      { test: 'a file' },
      { 'test/a.test.js': { link: '../x' } },
      { 'test/a.test.js/in.txt': 'a folder' },
    ]) {
      const { texts, marks } = await compose('node-test', 'test/a.test.js', state, state, {
        'package.json': state['package.json'],
        ...own,
      });
      expect(texts).toEqual({ 'test/a.test.js': 'hidden', 'package.json': state['package.json'] });
      expect(marks.some((mark) => mark.startsWith('reset '))).toBe(true);
    }
  });

  it('gives the workspace its own name back, and a manifest that is a link its steering fields', async () => {
    const state = { 'package.json': '{"name":"x","devDependencies":{"a":"1"}}' };
    const renamed = { 'package.json': '{"name":"vitest","exports":"./fake.js"}' };
    const { texts, marks } = await compose('vitest', 'a.test.js', state, state, renamed);
    expect(JSON.parse(texts['package.json'] ?? '')).toEqual({
      ...{ name: 'x', exports: './fake.js', devDependencies: { a: '1' } },
    });
    expect(marks).toContain('reset package.json: field name as in the reference');
    const linked = await compose('vitest', 'a.test.js', state, state, { 'package.json': { link: 'other.json' } });
    expect(JSON.parse(linked.texts['package.json'] ?? '')).toEqual({ name: 'x', devDependencies: { a: '1' } });
    expect((await compose('vitest', 'a.test.js', state, state, { 'package.json': '{' })).unreadable).toMatchObject({
      path: 'package.json',
    });
  });
});
