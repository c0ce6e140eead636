import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '#documents/read-results.js';
import type { StageLine } from '#documents/results.js';
import { makeTemporaryFolder, sweepTemporaryFolders } from '#store/index.js';
import { type Answer, featurearc } from '../support/command-line.js';

describe('the whole loop on the bundled repository', () => {
  let folder: string;
  let demo: string;
  let answer: Answer;
  let stages: StageLine[];

  beforeAll(async () => {
    folder = await makeTemporaryFolder('demo-test');
    answer = await featurearc(['demo', '--json'], { home: join(folder, 'home') });
    demo = (JSON.parse(answer.stdout) as { folder: string }).folder;
    const results = await readFile(join(demo, 'runs', 'results.jsonl'), 'utf8');
    const { lines } = await readResults(results, 'results.jsonl');
    stages = lines.map(({ value }) => value).filter((line): line is StageLine => line.kind === 'stage');
  }, 1_800_000);
  afterAll(async () => {
    for (const made of [folder, demo]) await rm(made, { recursive: true, force: true });
  });

  const of = (agent: string): StageLine[] =>
    stages.filter((line) => line.agent === agent).sort((a, b) => a.stage - b.stage);

  it('ends with yes, one JSON value on stdout and the sandbox named', () => {
    expect(answer.exitCode, answer.stderr).toBe(0);
    const value: unknown = JSON.parse(answer.stdout);
    expect(value).toMatchObject({ admitted: true, sandbox: expect.stringMatching(/^(?:bwrap|docker|local)$/) });
  });

  it('passes every stage with the reference and no F2P stage without work', () => {
    expect(of('oracle').map(({ f2p, p2p }) => [f2p, p2p])).toEqual(Array(4).fill([true, true]));
    expect(of('nop').map(({ f2p }) => f2p)).toEqual(Array(4).fill(false));
  });

  it('fails the faulty agent at the stage of its defect and, through its own code, at a later one', () => {
    const failed = of('faulty')
      .filter(({ f2p }) => f2p === false)
      .map(({ stage }) => stage);
    expect(failed.length).toBeGreaterThanOrEqual(2);
  });

  it('leaves everything where it says, also when a later command sweeps temporary folders', async () => {
    await sweepTemporaryFolders();
    expect(existsSync(join(demo, 'runs', 'report', 'report.html'))).toBe(true);
  });

  it('writes one page that needs nothing else', async () => {
    const html = await readFile(join(demo, 'runs', 'report', 'report.html'), 'utf8');
    expect(html).toContain('Content-Security-Policy');
    expect(html).not.toMatch(/(?:src|href)="https?:/);
  });

  it('leaves the hidden half out of every run folder', async () => {
    const prompt = await readFile(
      join(demo, 'runs', 'runs', 'nop', 'shelf-search', '1', 'stages', '0', 'prompt.md'),
      'utf8',
    );
    expect(prompt).toContain('Acceptance criteria');
    expect(prompt).not.toContain('query.test.js');
  });
});
