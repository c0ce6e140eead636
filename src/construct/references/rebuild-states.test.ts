import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileMode, keyOfText, openRepository, type Repository } from '#git/index.js';
import { type FileEdits, type MadeHistory, makeHistory } from '../../../test/support/make-history.js';
import { assertStates, requireRightStates } from './assert-states.js';
import { findWindow } from './find-window.js';
import { readStages } from './read-stages.js';
import { rebuildStates } from './rebuild-states.js';
import { distinctiveLines, referencePatch } from './reference-patch.js';

let folder: string;
let history: MadeHistory;
let repository: Repository;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rebuild-test-'));
  history = await makeHistory(join(folder, 'source.git'));
  repository = await openRepository(join(folder, 'source.git'), { writeTo: join(folder, 'objects') });
});
afterEach(async () => {
  await repository.close();
  await history.repository.close();
  await rm(folder, { recursive: true, force: true });
});

const BASE: FileEdits = {
  'src/core.js': 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n',
  'test/core.test.js': 'check(one, 1);\ncheck(two, 2);\n',
  'CHANGELOG.md': '# Changes\n\n- First.\n',
};
const STAGE: FileEdits = {
  'src/core.js': `${BASE['src/core.js']}\nexport function sumOfAll(values) {\n  return values.reduce((a, b) => a + b, 0);\n}\n`,
  'test/core.test.js': `${BASE['test/core.test.js']}check(sumOfAll, [1, 2]);\n`,
  'CHANGELOG.md': '# Changes\n\n- Sums of many values.\n- First.\n',
};

async function rebuild(stages: string[][], checkpoint?: string) {
  const named = await readStages(repository, { stages, ...(checkpoint === undefined ? {} : { checkpoint }) });
  return rebuildStates(repository, named);
}

async function textIn(tree: string, path: string): Promise<string | null> {
  const file = (await repository.files(tree)).get(keyOfText(path));
  return file === undefined ? null : (await repository.readBlob(file.oid)).toString('utf8');
}

describe('rebuilding reference states', () => {
  it('takes stages out last to first and keeps later unrelated work in every state', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Sum', STAGE);
    await history.commit('Unrelated', { 'src/other.js': 'export const other = true;\n', 'README.md': 'Read me.\n' });
    const second = await history.commit('Test sums', {
      'src/core.js': `${STAGE['src/core.js']}\nexport const emptySum = sumOfAll([]);\n`,
      'test/core.test.js': `${STAGE['test/core.test.js']}check(emptySum, 0);\n`,
    });
    const reference = await rebuild([[first], [second]]);
    const [s0, s1, s2] = reference.states.map(({ tree }) => tree);
    expect(await textIn(s0 ?? '', 'src/core.js')).toBe(BASE['src/core.js']);
    expect(await textIn(s0 ?? '', 'src/other.js')).toBe('export const other = true;\n');
    expect(await textIn(s1 ?? '', 'src/core.js')).toBe(STAGE['src/core.js']);
    expect(s2).toBe((await repository.commit(second)).tree);
    const assertions = await assertStates(repository, reference);
    expect(assertions.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('never writes into the source repository', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Sum', STAGE);
    await history.commit('Later', { 'src/core.js': `// Core.\n${STAGE['src/core.js']}` });
    const before = await readdir(join(folder, 'source.git', 'objects'), { recursive: true });
    await rebuild([[first]], history.head());
    expect(await readdir(join(folder, 'source.git', 'objects'), { recursive: true })).toEqual(before);
  });

  it('removes the feature beside a neighbouring edit, and with it what later work wrote into it', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Sum', STAGE);
    const renamed = `${STAGE['src/core.js']}`.replace('(a, b) => a + b', '(sum, value) => sum + value');
    await history.commit('Name the values', { 'src/core.js': renamed });
    await history.commit('Neighbour', {
      'src/core.js': `${renamed}\nexport function productOf(values) {\n  return values.length;\n}\n`,
      'CHANGELOG.md': '# Changes\n\n- Products of values.\n- Sums of many values.\n- First.\n',
    });
    const reference = await rebuild([[first]], history.head());
    const tree = reference.states[0]?.tree ?? '';
    const text = await textIn(tree, 'src/core.js');
    expect(text).toContain('productOf');
    expect(text).not.toContain('sumOfAll');
    expect(text).not.toContain('sum + value');
    expect(await textIn(tree, 'CHANGELOG.md')).toBe('# Changes\n\n- Products of values.\n- First.\n');
    const assertions = await assertStates(repository, reference);
    expect(assertions.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('drops what later wording of a changelog says of the feature, and keeps what it says of other things', async () => {
    const log = (...entries: string[]): string => `# Changes\n\n${entries.join('')}`;
    const own = '- Sums of many values are made with sumOfAll.\n';
    await history.commit('Start', { ...BASE, 'CHANGELOG.md': log('- First things.\n') });
    const first = await history.commit('Sum', { ...STAGE, 'CHANGELOG.md': log(own, '- First things.\n') });
    const reworded = [
      '* Products of values.\n',
      '* Sums of many values, made\n  with sumOfAll.\n  (#12)\n',
      '* First things of all.\n',
    ];
    await history.commit('Reword', { 'CHANGELOG.md': log(...reworded) });
    const { states } = await rebuild([[first]], history.head());
    expect(await textIn(states[0]?.tree ?? '', 'CHANGELOG.md')).toBe(
      log('* Products of values.\n', '* First things of all.\n'),
    );
  });

  it('follows a file that later work moved, and renames back what the stage renamed', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Sum', {
      ...STAGE,
      'src/core.js': null,
      'src/math.js': STAGE['src/core.js'] ?? '',
    });
    await history.commit('Move tests', {
      'test/core.test.js': null,
      'test/unit/math.test.js': STAGE['test/core.test.js'] ?? '',
    });
    const { states } = await rebuild([[first]], history.head());
    const files = [...(states[0]?.files.keys() ?? [])].sort();
    expect(files).toEqual(['CHANGELOG.md', 'src/core.js', 'test/unit/math.test.js']);
    expect(await textIn(states[0]?.tree ?? '', 'test/unit/math.test.js')).toBe(BASE['test/core.test.js']);
  });

  it('keeps lock and version files the same in all states and drops notes of agents', async () => {
    await history.commit('Start', { ...BASE, 'package-lock.json': '{"one": 1}\n', VERSION: '1.0.0\n' });
    const first = await history.commit('Sum', {
      ...STAGE,
      ...{
        'package-lock.json': '{"two": 2}\n',
        VERSION: '1.1.0\n',
        '.claude/plans/sums.md': 'First sums, then means.\n',
      },
    });
    const { states, removedNotes } = await rebuild([[first]]);
    expect(await textIn(states[0]?.tree ?? '', 'package-lock.json')).toBe('{"two": 2}\n');
    expect(await textIn(states[0]?.tree ?? '', 'VERSION')).toBe('1.1.0\n');
    expect(removedNotes).toEqual(['.claude/plans/sums.md']);
    for (const state of states) expect(state.files.has('.claude/plans/sums.md')).toBe(false);
  });

  it('names stage, file, commit and hunk where later work rewrote the feature together with other code', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Two is three', {
      ...STAGE,
      'src/core.js': `${BASE['src/core.js']}`.replace('return 2;', 'return 3;'),
    });
    await history.commit('Rewrite', {
      'src/core.js': 'export const one = () => 1;\nexport const two = () => [1, 1, 1].length;\n',
    });
    await expect(rebuild([[first]], history.head())).rejects.toMatchObject({
      code: 'removal-conflict',
      message: expect.stringMatching(/stage 0, commit [0-9a-f]{12} \(Two is three\): src\/core\.js: .*\n.*line/s),
    });
  });

  it('calls a state wrong where later work moved the feature’s lines to a file that no stage touched', async () => {
    await history.commit('Start', { ...BASE, 'src/late.js': 'export const late = 1;\n' });
    const line = '  return values.reduce((total, value) => total + value, 0);\n';
    const first = await history.commit('Sum', {
      ...STAGE,
      'src/core.js': `${BASE['src/core.js']}\nexport function sumOfAll(values) {\n${line}}\n`,
    });
    await history.commit('Move sums', {
      'src/core.js': `${BASE['src/core.js']}`,
      'src/late.js': `export const late = 1;\nexport function sumOfAll(values) {\n${line}}\n`,
    });
    const reference = await rebuild([[first]], history.head());
    const assertions = await assertStates(repository, reference);
    expect(assertions.find(({ name }) => name === 'no-line-of-later-stages')).toMatchObject({
      holds: false,
      evidence: expect.stringContaining('src/late.js still has, of stage 0: export function sumOfAll'),
    });
    expect(() => requireRightStates(assertions)).toThrow('state S_0 is not right');
  });

  it('finds the stages that can be rebuilt where the whole chain cannot', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Two is three', {
      ...STAGE,
      'src/core.js': `${BASE['src/core.js']}`.replace('return 2;', 'return 3;'),
    });
    const rewritten = 'export const one = () => 1;\nexport const two = () => [1, 1, 1].length;\n';
    await history.commit('Rewrite', { 'src/core.js': rewritten });
    const stage = (name: string, text: string) =>
      history.commit(name, { 'src/core.js': text, [`test/${name}.test.js`]: `check(${name});\n` });
    const second = await stage('three', `${rewritten}export const three = () => 3;\n`);
    const third = await stage('four', `${rewritten}export const three = () => 3;\nexport const four = () => 4;\n`);
    const stages = [[first], [second], [third]];
    await expect(rebuild(stages)).rejects.toMatchObject({ code: 'removal-conflict' });
    expect(await findWindow(repository, { stages })).toEqual({ from: 1, to: 3 });
  });

  it('handles the root commit as a stage, links, modes, binary files and names that are no text', async () => {
    const odd = `src/caf\u00e9 \t.js`;
    const first = await history.commit('Start', { ...BASE, [odd]: 'export const odd = 1;\n' });
    const second = await history.commit('More', {
      ...STAGE,
      'bin/run': { mode: '100755', content: '#!/bin/sh\n' },
      'link.js': { mode: '120000', content: 'src/core.js' },
      'src/data.bin': Buffer.from([0, 1, 2, 255]),
      [odd]: 'export const odd = 2;\n',
    });
    await history.commit('Mode', {
      'src/core.js': { mode: '100755' as FileMode, content: STAGE['src/core.js'] as string },
    });
    const { states } = await rebuild([[first], [second]], history.head());
    expect(states[0]?.files.size).toBe(0);
    expect([...(states[1]?.files.keys() ?? [])].sort()).toEqual(
      ['CHANGELOG.md', keyOfText(odd), 'src/core.js', 'test/core.test.js'].sort(),
    );
    expect(states[1]?.files.get('src/core.js')?.mode).toBe('100755');
    const patch = await referencePatch(repository, states[1]?.tree ?? '', states[2]?.tree ?? '');
    expect(patch.includes('GIT binary patch')).toBe(true);
  });

  it('gives patches that turn each state into the next, and lines that only later stages have', async () => {
    await history.commit('Start', BASE);
    const first = await history.commit('Sum', STAGE);
    const { states } = await rebuild([[first]]);
    const [s0, s1] = states.map(({ tree }) => tree);
    const patch = await referencePatch(repository, s0 ?? '', s1 ?? '');
    const index = { GIT_INDEX_FILE: join(folder, 'index') };
    await repository.git({ args: ['read-tree', s0 ?? ''], env: index });
    await repository.git({ args: ['apply', '--cached', '-'], stdin: patch, env: index });
    const applied = await repository.git({ args: ['write-tree'], env: index });
    expect(applied.stdout.toString().trim()).toBe(s1);
    const lines = (await distinctiveLines(repository, { states }, 0)).map(({ text }) => text);
    expect(lines).toContain('export function sumOfAll(values) {');
    expect(await distinctiveLines(repository, { states }, 1)).toEqual([]);
  });
});

/** A file as named blocks, so that edits of different blocks never touch. */
const BLOCKS = 12;
const blockFile = (blocks: readonly string[]): string => blocks.map((block) => `${block}\n----\n====\n`).join('');

interface GeneratedEdit {
  block: number;
  chain: boolean;
  text: string;
}

const edits: fc.Arbitrary<GeneratedEdit[]> = fc.uniqueArray(
  fc.record({
    block: fc.nat(BLOCKS - 1),
    chain: fc.boolean(),
    text: fc
      .array(fc.constantFrom('alpha', 'beta', '', 'gamma delta'), { maxLength: 3 })
      .map((lines) => lines.join('\n')),
  }),
  { selector: (edit) => edit.block, minLength: 3, maxLength: 8 },
);

/** The blocks after all edits but those of stage `state` and later. */
function replay(start: readonly string[], plan: readonly GeneratedEdit[], state: number): string[] {
  const blocks = [...start];
  let seen = 0;
  for (const [at, edit] of plan.entries()) {
    if (edit.chain) seen += 1;
    if (!edit.chain || seen <= state) blocks[edit.block] = `edit ${at} ${edit.text}`;
  }
  return blocks;
}

describe('on generated histories whose stages overlap with nothing', () => {
  it('removal gives exactly the tree of replaying history without the stages, and the same tree every time', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (plan) => {
        fc.pre(plan.some((edit) => edit.chain));
        round += 1;
        const made = await makeHistory(join(folder, `source-${round}.git`));
        const opened = await openRepository(join(folder, `source-${round}.git`), {
          writeTo: join(folder, `own-${round}`),
        });
        const start = Array.from({ length: BLOCKS }, (_, index) => `block ${index}`);
        const write = (blocks: readonly string[]): FileEdits => ({
          'src/a.js': blockFile(blocks),
          'test/a.test.js': blockFile(blocks.map((block) => `test ${block}`)),
        });
        await made.commit('Start', write(start));
        const blocks = [...start];
        const stages: string[][] = [];
        for (const [at, edit] of plan.entries()) {
          blocks[edit.block] = `edit ${at} ${edit.text}`;
          const commit = await made.commit(`Edit ${at}`, write(blocks));
          if (edit.chain) stages.push([commit]);
        }
        const named = await readStages(opened, { stages, checkpoint: made.head() });
        const reference = await rebuildStates(opened, named);
        for (const [state, { files }] of reference.states.entries()) {
          for (const [path, text] of Object.entries(write(replay(start, plan, state))))
            expect((await opened.readBlob(files.get(path)?.oid ?? '')).toString()).toBe(text);
        }
        const again = await rebuildStates(opened, named);
        expect(again.states.map(({ tree }) => tree)).toEqual(reference.states.map(({ tree }) => tree));
        await opened.close();
        await made.repository.close();
      }),
      { numRuns: 25 },
    );
  });
});
