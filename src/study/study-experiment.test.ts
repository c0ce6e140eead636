import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingsDocument } from '#documents/findings.js';
import { DEMO_RESULTS, HOSTILE_RESULTS, inStudy } from '../../test/support/in-study.js';
import { studyExperiment } from './study-experiment.js';

describe('studyExperiment', () => {
  it('writes every format whole and names each file', async () => {
    await inStudy(DEMO_RESULTS, async ({ paths }, folder) => {
      const names = ['figures.csv', 'findings.json', 'report.html', 'report.md', 'report.tex', 'stages.csv'];
      expect((await readdir(folder)).sort()).toEqual(names);
      expect(paths.map(({ path }) => path).sort()).toEqual(names.map((name) => join(folder, name)));
    });
  });

  it('prints the main table and, for few runs, every stage', async () => {
    await inStudy(DEMO_RESULTS, async ({ terminal }) => {
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
      await inStudy(DEMO_RESULTS, async (_study, folder) => {
        const text = await readFile(join(folder, 'report.html'), 'utf8');
        pages.push(text.replaceAll(join(folder, '..'), ''));
      });
    }
    expect(pages[0]).toBe(pages[1]);
  });

  it('keeps findings that read back as the document they are', async () => {
    await inStudy(DEMO_RESULTS, async ({ findings }, folder) => {
      const path = join(folder, 'findings.json');
      expect(findingsDocument.parse(await readFile(path, 'utf8'), path)).toMatchObject(findings);
    });
  });

  it('says which results file is missing', async () => {
    const request = { resultsPaths: ['/nowhere/results.jsonl'], outDir: '/nowhere/report', formats: [] };
    await expect(studyExperiment(request)).rejects.toMatchObject({ code: 'file-missing', kind: 'input' });
  });

  it('prints names that attack a format as what they are', async () => {
    await inStudy(HOSTILE_RESULTS, async ({ terminal }, folder) => {
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
    await inStudy(DEMO_RESULTS, async (_study, folder) => {
      const html = await readFile(join(folder, 'report.html'), 'utf8');
      const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(html).toContain(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
      expect(html).not.toMatch(/ style="|<script|https?:\/\/|url\(|@import/);
    });
  });
});
