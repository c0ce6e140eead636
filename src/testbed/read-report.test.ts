import { createHmac } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, runProcess } from '#process/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { readReport, type SuiteReport } from './read-report.js';

const SECRET = 'of this run';

function sealed(facts: object[], secret = SECRET, first = 0): string {
  return facts
    .map((fact, index) => {
      const text = JSON.stringify(fact);
      const seal = createHmac('sha256', secret)
        .update(`${first + index} ${text}`)
        .digest('hex')
        .slice(0, 32);
      return `${seal} ${text}\n`;
    })
    .join('');
}

const end = { exitCode: 0, signal: null, killed: null, garbage: 0, output: Buffer.from('said').toString('base64') };
const HONEST = [
  { t: 'header', version: 1, tool: 'node v20' },
  { t: 'process-start', process: 0 },
  { t: 'event', process: 0, event: { t: 'test-start', path: ['a'] } },
  { t: 'event', process: 0, event: { t: 'nonsense' } },
  { t: 'process-end', process: 0, ...end },
  { t: 'end', reached: 1 },
];

function read(content: string): Promise<SuiteReport> {
  return withTemporaryFolder('report', async (folder) => {
    const path = join(folder, 'report.ndjson');
    await writeFile(path, content);
    return readReport(path, SECRET);
  });
}

describe('readReport', () => {
  it('reads a whole report, and counts events that are none of ours', async () => {
    const report = await read(sealed(HONEST));
    expect(report).toMatchObject({ opened: true, ended: true, forgery: null, gap: null });
    expect(report.processes).toHaveLength(1);
    expect(report.processes[0]).toMatchObject({ garbage: 1, events: [{ t: 'test-start', path: ['a'], file: null }] });
    expect(report.processes[0]?.end?.output.toString()).toBe('said');
  });

  it('stops at a line of another run, of the code under test, out of place or repeated', async () => {
    const [header = {}, ...rest] = HONEST;
    const stale = sealed([header], 'of an earlier run');
    const forged = `${sealed([header])}${JSON.stringify(rest[0])}\n`;
    const moved = sealed([header]) + sealed(rest, SECRET, 2);
    const twice = sealed([header]) + sealed([header]);
    for (const content of [stale, forged, moved, twice, 'é\n', '\n']) {
      expect((await read(content)).forgery).toMatch(/does not carry the seal/);
    }
  });

  it('says what a report lacks: its end, the rest of a line, everything', async () => {
    const whole = sealed(HONEST);
    expect(await read(sealed(HONEST.slice(0, 3)))).toMatchObject({
      opened: true,
      ended: false,
      gap: null,
      forgery: null,
    });
    expect(await read(whole.slice(0, -10))).toMatchObject({ ended: false, gap: 'the last line of the report is torn' });
    expect(await read('')).toMatchObject({ opened: false, ended: false, processes: [] });
    expect(await withTemporaryFolder('report', (folder) => readReport(join(folder, 'none'), SECRET))).toMatchObject({
      gap: 'there is no report',
    });
  });

  it('reads nothing but a regular file', async () => {
    await withTemporaryFolder('report', async (folder) => {
      await writeFile(join(folder, 'real'), sealed(HONEST));
      await symlink(join(folder, 'real'), join(folder, 'link'));
      await mkdir(join(folder, 'folder'));
      await runProcess({ argv: ['mkfifo', join(folder, 'pipe')], env: plainEnvironment() });
      for (const name of ['link', 'folder', 'pipe']) {
        expect((await readReport(join(folder, name), SECRET)).forgery).toBe('the report is not a regular file');
      }
    });
  });
});
