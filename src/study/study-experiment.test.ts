import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsDocument } from '#documents/findings.js';
import { withTemporaryFolder } from '#store/index.js';
import { HOSTILE_NAMES } from '../../test/support/hostile-names.js';
import { type MadeResults, makeResults, studyTasks } from '../../test/support/make-results.js';
import { REPORT_FORMATS, type Study, studyExperiment } from './study-experiment.js';

const DEMO: MadeResults = {
  seed: 'd',
  agents: ['oracle', 'nop', 'faulty'],
  tasks: [{ name: 'tasklist', stages: 4 }],
  experiment: 'demo',
};
const HOSTILE: MadeResults = {
  seed: 'h',
  agents: HOSTILE_NAMES,
  tasks: HOSTILE_NAMES.map((name, place) => ({ name, stages: 2 + (place % 4) })),
  attempts: 2,
  unfinished: 0.05,
  experiment: HOSTILE_NAMES[0] ?? null,
};

async function inStudy(made: MadeResults, work: (study: Study, folder: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder('study', async (folder) => {
    await writeFile(join(folder, 'results.jsonl'), makeResults(made));
    const study = await studyExperiment({
      resultsPaths: [join(folder, 'results.jsonl')],
      outDir: join(folder, 'report'),
      formats: REPORT_FORMATS,
      resamples: 200,
    });
    await work(study, join(folder, 'report'));
  });
}

describe('studyExperiment', () => {
  it('writes every format whole and names each file', async () => {
    await inStudy(DEMO, async ({ paths }, folder) => {
      const names = ['figures.csv', 'findings.json', 'report.html', 'report.md', 'report.tex', 'stages.csv'];
      expect((await readdir(folder)).sort()).toEqual(names);
      expect(paths.map(({ path }) => path).sort()).toEqual(names.map((name) => join(folder, name)));
    });
  });

  it('prints the main table and, for few runs, every stage', async () => {
    await inStudy(DEMO, async ({ terminal }) => {
      expect(terminal).toMatch(
        /^demo · L4 · chain\n3 agents on 1 task \(4 stages\) · 3 runs, all finished\nsandbox bwrap/,
      );
      expect(terminal).toMatch(/agent +m0 +Gate +Cont +F2P +Depth +P2P↓ +runs/);
      expect(terminal).toMatch(/tasklist stage by stage \(4 stages\)\n +m0 +m1 +m2 +m3 +chain/);
    });
  });

  it('writes the same bytes for the same results', async () => {
    const pages: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await inStudy(DEMO, async (_study, folder) => {
        const text = await readFile(join(folder, 'report.html'), 'utf8');
        pages.push(text.replaceAll(join(folder, '..'), ''));
      });
    }
    expect(pages[0]).toBe(pages[1]);
  });

  it('keeps findings that read back as the document they are', async () => {
    await inStudy(DEMO, async ({ findings }, folder) => {
      const path = join(folder, 'findings.json');
      expect(findingsDocument.parse(await readFile(path, 'utf8'), path)).toMatchObject(findings);
    });
  });

  it('says which results file is missing', async () => {
    const request = { resultsPaths: ['/nowhere/results.jsonl'], outDir: '/nowhere/report', formats: [] };
    await expect(studyExperiment(request)).rejects.toMatchObject({ code: 'file-missing', kind: 'input' });
  });

  it('prints names that attack a format as what they are', async () => {
    await inStudy(HOSTILE, async ({ terminal }, folder) => {
      const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
      expect(terminal).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
      const html = await read('report.html');
      expect(html).not.toMatch(/<script|<img|javascript:alert\(1\)"/i);
      expect(await read('report.md')).not.toMatch(/<script|<img|^# heading|\u001b/m);
      expect(await read('report.tex')).not.toMatch(/\\input/);
      expect(await read('figures.csv')).not.toMatch(/(^|,)"?[=+@\t]|(^|,)"?-[^0-9]/m);
      expect(await read('stages.csv')).not.toMatch(/(^|,)"?[=+@\t]/m);
    });
  });

  it('allows itself nothing but its own style sheet', async () => {
    await inStudy(DEMO, async (_study, folder) => {
      const html = await readFile(join(folder, 'report.html'), 'utf8');
      const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(html).toContain(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
      expect(html).not.toMatch(/ style="|<script|https?:\/\/|url\(|@import/);
    });
  });
});

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

describe.skipIf(CHROMIUM === undefined)('the page in a browser (needs chromium)', () => {
  it('fetches nothing, runs nothing, breaks no policy, and never scrolls sideways', async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
    try {
      for (const made of [
        DEMO,
        HOSTILE,
        { ...DEMO, agents: ['only'] },
        { ...DEMO, agents: ['a', 'b', 'c', 'd'], tasks: studyTasks() },
      ]) {
        await inStudy(made, async (_study, folder) => {
          const page = await browser.newPage();
          const heard: string[] = [];
          page.on('console', (message) => heard.push(message.text()));
          page.on('dialog', (dialog) => {
            heard.push(dialog.message());
            void dialog.dismiss();
          });
          const url = pathToFileURL(join(folder, 'report.html')).href;
          page.on('request', (request) => {
            if (request.url() !== url) heard.push(request.url());
          });
          for (const width of [1400, 420]) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(url);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
            expect(await page.evaluate('[...document.querySelectorAll("th")].every((head) => head.scope !== "")')).toBe(
              true,
            );
          }
          expect(heard).toEqual([]);
          await page.close();
        });
      }
    } finally {
      await browser.close();
    }
  });
});
