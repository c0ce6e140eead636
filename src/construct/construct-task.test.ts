import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taskLayout } from '#documents/layout.js';
import { provenanceDocument } from '#documents/provenance.js';
import { createRepository } from '#git/index.js';
import { silentProgress } from '#kernel/events.js';
import { openTaskPackage } from '#store/index.js';
import { makeHistory } from '../../test/support/make-history.js';
import type { ConstructRequest, SpecWriter } from './construct-request.js';
import { constructTask } from './construct-task.js';

const MANIFEST = '{ "name": "words", "type": "module", "scripts": { "test": "node --test" } }\n';
const HEAD = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
const imports = (names: string): string => `import { ${names} } from '../src/words.js';\n\n`;
const SHOUT = 'export function shout(text) {\n  return text.toUpperCase();\n}\n';
const SLUG = "\nexport function slug(text) {\n  return text.toLowerCase().split(' ').join('-');\n}\n";
const COUNT = "\nexport function countWords(text) {\n  return slug(text).split('-').length;\n}\n";
const SHOUT_TEST = "test('shout raises the voice', () => assert.equal(shout('a'), 'A'));\n";
const SLUG_TEST = "test('slug joins words with dashes', () => assert.equal(slug('A b'), 'a-b'));\n";
const COUNT_TEST = "test('words are counted', () => assert.equal(countWords('a b c'), 3));\n";

/** Specs by a person: enough for a package. */
const byHand: SpecWriter = {
  by: 'person',
  model: null,
  write: async ({ reference, suites }) =>
    reference.stages.stages.map((stage, index) => ({
      title: stage.commits[0]?.subject ?? '',
      requirement: '# Words\n\n1. It works.\n',
      contract: '# Contract\n',
      criteria: [
        {
          number: 1,
          text: 'It works.',
          tests: suites[index]?.suite.tests.filter(({ kind }) => kind === 'f2p').map(({ id }) => id) ?? [],
        },
      ],
    })),
};

let folder: string;
let request: ConstructRequest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'construct-test-'));
  const history = await makeHistory(join(folder, 'words.git'));
  await history.commit('Shout', {
    'package.json': MANIFEST,
    'src/words.js': SHOUT,
    'test/words.test.js': HEAD + imports('shout') + SHOUT_TEST,
  });
  const slug = await history.commit('Make slugs', {
    'src/words.js': SHOUT + SLUG,
    'test/words.test.js': HEAD + imports('shout, slug') + SHOUT_TEST + SLUG_TEST,
  });
  await history.commit('Explain', { 'README.md': '# Words\n' });
  const count = await history.commit('Count words', {
    'src/words.js': SHOUT + SLUG + COUNT,
    'test/words.test.js': HEAD + imports('countWords, shout, slug') + SHOUT_TEST + SLUG_TEST + COUNT_TEST,
  });
  await history.repository.close();
  request = {
    repository: join(folder, 'words.git'),
    stages: [[slug], [count]],
    outFolder: join(folder, 'tasks'),
    sandbox: 'local',
    storeRoot: join(folder, 'store'),
    ...{ repeats: 1, parallel: 2, seed: '1', stageMs: 60_000, timeoutMs: 60_000, perTestTimeoutMs: 10_000 },
    toolVersion: '0.0.0-test',
  };
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('building a task from commits named by hand', () => {
  it('makes a package that opens, with F2P and P2P tests per stage, figures, patches and provenance', async () => {
    const report = await constructTask({ ...request, id: 'words' }, byHand, silentProgress);
    const opened = await openTaskPackage(report.folder);
    expect(opened.task).toMatchObject({ id: 'words', runner: 'node-test', language: 'typescript' });
    expect(opened.task.stages.map(({ f2p, p2p, sourceFiles }) => ({ f2p, p2p, sourceFiles }))).toEqual([
      { f2p: 1, p2p: 1, sourceFiles: 1 },
      { f2p: 1, p2p: 2, sourceFiles: 1 },
    ]);
    expect(opened.task.stages.map(({ sharedFileShare }) => sharedFileShare)).toEqual([null, 1]);
    const layout = taskLayout(report.folder);
    expect(await readFile(layout.referencePatch(1), 'utf8')).toContain('+export function countWords');
    const provenance = provenanceDocument.parse(await readFile(layout.provenance, 'utf8'), 'provenance.json');
    expect(provenance.assertions.filter(({ holds }) => !holds)).toEqual([]);
    expect(provenance.assertions.map(({ name }) => name)).toContain('own-tests-pass');
    for (const path of [layout.provenance, layout.validation, layout.suite(0), layout.criteria(1)])
      expect(await readFile(path, 'utf8')).toContain(opened.task.source.canary);
  });

  it('delivers the first state as one commit whose repository holds nothing newer', async () => {
    const report = await constructTask({ ...request, id: 'sealed' }, byHand, silentProgress);
    const clone = await createRepository(join(folder, 'clone.git'));
    await clone.git({
      args: ['fetch', '-q', taskLayout(report.folder).bundle, 'refs/heads/main:refs/heads/main'],
      env: { GIT_ALLOW_PROTOCOL: 'file' },
    });
    const all = await clone.git({ args: ['cat-file', '--batch-all-objects', '--batch-check'] });
    const reachable = await clone.git({ args: ['rev-list', '--objects', '--no-object-names', 'refs/heads/main'] });
    const ids = (text: Buffer): string[] =>
      text
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0] ?? '')
        .sort();
    expect(ids(all.stdout)).toEqual(ids(reachable.stdout));
    expect((await clone.commit('refs/heads/main')).parents).toEqual([]);
    const texts = await Promise.all(
      [...(await clone.files('refs/heads/main')).values()].map(({ oid }) => clone.readBlob(oid)),
    );
    expect(Buffer.concat(texts).toString()).not.toMatch(/slug|countWords/);
    await clone.close();
  });

  it('gives the same digests when built again, and refuses to overwrite', async () => {
    const one = await constructTask({ ...request, id: 'one' }, byHand, silentProgress);
    const other = await constructTask(
      { ...request, id: 'one', outFolder: join(folder, 'again') },
      byHand,
      silentProgress,
    );
    expect(other.task.publicDigest).toBe(one.task.publicDigest);
    expect(other.task.source.canary).toBe(one.task.source.canary);
    await expect(constructTask({ ...request, id: 'one' }, byHand, silentProgress)).rejects.toMatchObject({
      code: 'task-exists',
    });
  });

  it('leaves nothing behind where a step refuses', async () => {
    const outFolder = join(folder, 'refused');
    const failing: SpecWriter = { ...byHand, write: async () => [] };
    await expect(constructTask({ ...request, id: 'none', outFolder }, failing, silentProgress)).rejects.toMatchObject({
      kind: 'input',
    });
    expect(await readdir(outFolder).catch(() => [])).toEqual([]);
  });
});
