import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { certain } from '#kernel/faults.js';
import { DEMO_RESULTS, HOSTILE_RESULTS, inStudy } from '../support/in-study.js';
import { studyTasks } from '../support/make-results.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

describe('the report in a browser', () => {
  it('fetches nothing, runs nothing, breaks no policy, and never scrolls sideways', async () => {
    const browser = await chromium.launch({
      executablePath: certain(CHROMIUM, 'a Chromium'),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      for (const made of [
        DEMO_RESULTS,
        HOSTILE_RESULTS,
        { ...DEMO_RESULTS, agents: ['only'] },
        { ...DEMO_RESULTS, agents: ['a', 'b', 'c', 'd'], tasks: studyTasks() },
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
