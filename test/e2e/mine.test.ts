import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chains, chainsDocument } from '#documents/chains.js';
import { minedLayout, taskLayout } from '#documents/layout.js';
import { provenanceDocument } from '#documents/provenance.js';
import { makeTemporaryFolder } from '#store/index.js';
import { buildSampleRepository, type SampleRepository } from '../../src/cli/sample/build-sample.js';
import { type Answer, featurearc } from '../support/command-line.js';
import { reviewAnswer } from '../support/review-answer.js';
import { scriptHistory } from '../support/script-history.js';
import { anthropicAnswer, openaiAnswer, scriptedModel } from '../support/scripted-model.js';

describe('mining the bundled repository', () => {
  let folder: string;
  let home: string;
  let sample: SampleRepository;
  let mined: Answer;
  let document: Chains;
  const out = (): string => join(folder, 'mined');
  const run = (...args: string[]): Promise<Answer> => featurearc(args, { home });

  beforeAll(async () => {
    folder = await makeTemporaryFolder('mine-test');
    home = join(folder, 'home');
    await mkdir(join(folder, 'repository'));
    sample = await buildSampleRepository(join(folder, 'repository'));
    mined = await run('mine', sample.folder, '--out', out(), '--graph', 'graphml', '--stars', '31');
    expect(mined.exitCode, mined.stderr).toBe(0);
    const file = minedLayout(out()).chains;
    document = chainsDocument.parse(await readFile(file, 'utf8'), file);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('finds the feature that the sample is known for, whole, among the three best', () => {
    const truth = new Set(sample.stages.flat());
    const best = document.chains.slice(0, 3).map(({ stages }) => stages.flatMap(({ commits }) => commits));
    const hit = best.find((commits) => [...truth].every((commit) => commits.includes(commit)));
    expect(hit, JSON.stringify(best)).toBeDefined();
    expect(hit?.filter((commit) => truth.has(commit)).length).toBeGreaterThanOrEqual(0.75 * (hit?.length ?? 0));
  });

  it('prints admission and a table, and leaves the same to read', async () => {
    expect(mined.stderr).toMatch(/ok licence\s+MIT/);
    expect(mined.stderr).toMatch(/ok stars\s+31/);
    expect(mined.stdout).toMatch(/ 1 {2}c-[0-9a-f]{12}/);
    expect((await readdir(out())).sort()).toEqual(['chains.json', 'chains.md', 'graph.graphml', 'rejections.jsonl']);
    const page = await readFile(minedLayout(out()).page, 'utf8');
    for (const { id, stages } of document.chains) {
      expect(page).toContain(id);
      for (const { commits } of stages) for (const commit of commits) expect(page).toContain(commit.slice(0, 12));
    }
    expect(page).toContain('Why these belong together');
  });

  it('comes to the same again, in the main thread alone', async () => {
    const again = join(folder, 'again');
    await run('mine', sample.folder, '--out', again, '--stars', '31', '--workers', '0');
    expect(await readFile(minedLayout(again).chains, 'utf8')).toBe(await readFile(minedLayout(out()).chains, 'utf8'));
  });

  it('explains a chain by rank and by the beginning of its id, edge by edge', async () => {
    const [first] = document.chains;
    const byRank = await run('mine', '--explain', '1', '--out', out());
    expect(byRank.exitCode).toBe(0);
    for (const { id } of first?.edges ?? []) expect(byRank.stdout).toContain(id);
    const byId = await run('mine', '--explain', first?.id.slice(0, 8) ?? '', '--out', out());
    expect(byId.stdout).toBe(byRank.stdout);
  });

  it('builds a task of a chain, titled by its feature, with the evidence in its provenance', async () => {
    const [chain] = document.chains;
    const tasks = join(folder, 'tasks');
    const answer = await run(
      ...['build', sample.folder, '--chains', minedLayout(out()).chains, '--chain', '1', '--stages', '0-1'],
      ...['--out', tasks, '--id', 'mined', '--repeats', '1', '--json'],
    );
    expect(answer.exitCode, answer.stderr).toBe(0);
    expect(JSON.parse(answer.stdout)).toMatchObject({ task: { title: chain?.feature } });
    const file = taskLayout(join(tasks, 'mined')).provenance;
    const provenance = provenanceDocument.parse(await readFile(file, 'utf8'), file);
    expect(provenance.chain).toMatchObject({ id: chain?.id, window: { from: 0, to: 1 }, head: document.head });
    expect(provenance.chain?.edges).toEqual(chain?.edges.filter(({ to }) => to <= 1));
  });

  describe('with a model for a reviewer', () => {
    const review = async (server: { url: string }, api: string, ...more: string[]) => {
      const at = join(folder, `by-${api}`);
      const answer = await run(
        ...['mine', sample.folder, '--out', at, '--reviewer', 'model', '--model', 'a-model', '--model-api', api],
        ...['--model-url', server.url, '--top', '2', '--model-tries', '1', ...more],
      );
      expect(answer.exitCode, answer.stderr).toBe(0);
      const rejections = await readFile(minedLayout(at).rejections, 'utf8');
      const chains = chainsDocument.parse(await readFile(minedLayout(at).chains, 'utf8'), 'chains.json').chains;
      return { at, answer, chains, rejections };
    };

    it('takes its decisions, counts its cost and keeps what was said', async () => {
      const server = await scriptedModel((request) => anthropicAnswer(reviewAnswer(request.body)));
      try {
        const { at, chains } = await review(server, 'anthropic', '--model-price', '3,15');
        expect(chains.length).toBeGreaterThan(0);
        for (const { feature, review: held } of chains) {
          expect(feature).toContain('A reviewed feature');
          expect(held).toMatchObject({ reviewer: { by: 'model', model: 'a-model' }, costUsd: 0.0045 });
          expect(held.unreviewed).toBeUndefined();
          expect(held.decisions.every(({ why }) => why === 'it extends the feature')).toBe(true);
        }
        expect(await readdir(minedLayout(at).transcripts)).toHaveLength(server.requests.length);
      } finally {
        await server.close();
      }
    });

    it('keeps chains as they were found, marked, where it cites what is not there', async () => {
      const server = await scriptedModel((request) => {
        const answer = reviewAnswer(request.body);
        return openaiAnswer({
          ...answer,
          decisions: answer.decisions.map((one) => ({ ...one, cites: ['e0-99-magic'] })),
        });
      });
      try {
        const { chains, rejections, answer } = await review(server, 'openai');
        expect(chains.length).toBeGreaterThan(0);
        for (const { review: held } of chains) expect(held.unreviewed).toMatch(/e0-99-magic/);
        expect(rejections).toMatch(/not reviewed, kept as the searches found it: no valid answer/);
        expect(answer.stderr).toMatch(/not reviewed/);
      } finally {
        await server.close();
      }
    });

    it('says what changes are for where it is told to, and where it cannot, rules do and that is said', async () => {
      const server = await scriptedModel((_request, at) =>
        at < 3 ? { status: 500, body: 'down' } : anthropicAnswer({ intent: 'extension', why: 'so', cites: ['title'] }),
      );
      try {
        const at = join(folder, 'intents');
        const answer = await run(
          ...[
            'mine',
            sample.folder,
            '--out',
            at,
            '--intents',
            'model',
            '--model',
            'a-model',
            '--model-api',
            'anthropic',
          ],
          ...['--model-url', server.url, '--model-tries', '1'],
        );
        expect(answer.exitCode, answer.stderr).toBe(0);
        expect(answer.stderr).toMatch(/did not say what a change is for, so rules do: .*status 500/);
        const { chains } = chainsDocument.parse(await readFile(minedLayout(at).chains, 'utf8'), 'chains.json');
        expect(new Set(chains.flatMap(({ stages }) => stages.map(({ intent }) => intent)))).toContain('extension');
        expect(await readdir(join(minedLayout(at).transcripts, 'intents'))).toHaveLength(server.requests.length);
      } finally {
        await server.close();
      }
    });

    it('says which model is missing', async () => {
      const answer = await run('mine', sample.folder, '--out', join(folder, 'x'), '--reviewer', 'model');
      expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--model NAME/) });
    });
  });

  const wrong: [string, string[], number, RegExp][] = [
    [
      'an unknown chain, with those that come nearest',
      ['--chain', 'c-000000000000'],
      3,
      /Nearest are:\n\s+c-[0-9a-f]{12}/,
    ],
    ['stages that the chain does not have', ['--chain', '1', '--stages', '0-40'], 2, /has the stages 0-\d+, not 0-40/],
    ['stages named in two ways', ['--chain', '1', '--stage', 'HEAD'], 2, /in one way/],
  ];
  it.each(wrong)('refuses to build %s', async (_title, more, exitCode, says) => {
    const chains = minedLayout(out()).chains;
    const answer = await run('build', sample.folder, '--chains', chains, '--out', join(folder, 'none'), ...more);
    expect(answer).toMatchObject({ exitCode, stderr: expect.stringMatching(says) });
  });

  it('refuses to build from another repository or a damaged file, naming both', async () => {
    const other = join(folder, 'other');
    scriptHistory(other, [{ message: 'Start', files: [['a.py', 'x = 1\n']] }]);
    const chains = minedLayout(out()).chains;
    const elsewhere = await run('build', other, '--chains', chains, '--chain', '1', '--out', join(folder, 'none'));
    expect(elsewhere).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/other.*commits of chain c-.*mined at head/s),
    });
    const damaged = join(folder, 'damaged.json');
    await writeFile(damaged, (await readFile(chains, 'utf8')).slice(0, 900));
    const answer = await run(
      'build',
      sample.folder,
      '--chains',
      damaged,
      '--chain',
      '1',
      '--out',
      join(folder, 'none'),
    );
    expect(answer).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/damaged\.json: not valid JSON/) });
  });
});
