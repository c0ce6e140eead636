// Time to read and store a history raw, against `git log --raw -M`: history-raw --repo DIR [--repo DIR] [--generate 80000] [--runs 5]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRawHistory } from '#construct/history/index.js';
import { generateHistory } from './support/generate-history.js';
import { median, nameOf, ratio, runMeasured, runSelf } from './support/measure.js';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', multiple: true, default: [] },
    generate: { type: 'string' },
    runs: { type: 'string', default: '5' },
    /** One pass in this process; what the bench starts for each measurement. */
    one: { type: 'string' },
    cache: { type: 'string' },
  },
});
const BASELINE = ['log', '--raw', '-M', 'HEAD'];

if (values.one !== undefined) {
  const started = performance.now();
  const { commits, changes } = await readRawHistory(values.one, values.cache ?? null);
  const ms = performance.now() - started;
  console.log(JSON.stringify({ ms, commits, changes, peakKb: process.resourceUsage().maxRSS }));
} else {
  const temporary = await mkdtemp(join(tmpdir(), 'bench-history-raw-'));
  try {
    const repositories = [...values.repo];
    if (values.generate !== undefined)
      repositories.push(await generateHistory(join(temporary, 'generated'), Number(values.generate)));
    if (repositories.length === 0)
      console.log('history-raw: skipped, no repository (give --repo DIR, or --generate N)');
    console.log(`baseline: git ${BASELINE.join(' ')} >/dev/null; medians of ${values.runs} interleaved runs`);
    for (const repository of repositories) await compare(repository, temporary);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function compare(repository: string, temporary: string): Promise<void> {
  const git: { ms: number; cpuSeconds: number }[] = [];
  const own: { ms: number; cpuSeconds: number; passMs: number; peakKb: number }[] = [];
  let size = '';
  for (let run = 0; run < Number(values.runs); run += 1) {
    git.push(await runMeasured(['git', '--git-dir', repository, ...BASELINE]));
    const cache = join(temporary, `cache-${run}`);
    const { answer, ...measured } = await runSelf<{ ms: number; commits: number; changes: number; peakKb: number }>([
      '--one',
      repository,
      '--cache',
      cache,
    ]);
    await rm(cache, { recursive: true, force: true });
    own.push({ ...measured, passMs: answer.ms, peakKb: answer.peakKb });
    size = `${answer.commits} commits, ${answer.changes} changes`;
  }
  const baseline = median(git.map(({ ms }) => ms));
  const pass = median(own.map(({ passMs }) => passMs));
  const whole = median(own.map(({ ms }) => ms));
  console.log(
    [
      `${nameOf(repository)} (${size})`,
      `git ${baseline.toFixed(0)} ms, ${median(git.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} core-s`,
      `read and stored ${pass.toFixed(0)} ms = ${ratio(pass, baseline)} (whole process ${whole.toFixed(0)} ms = ${ratio(whole, baseline)}), ${median(own.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} core-s`,
      `peak memory ${(Math.max(...own.map(({ peakKb }) => peakKb)) / 1024).toFixed(0)} MiB`,
    ].join('\n  '),
  );
}
