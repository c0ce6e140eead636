// Time of a full analysis, cold and warm, against `git log -p -M` (and PyDriller): history-full --repo DIR [--repo DIR] [--runs 5] [--workers 2] [--pydriller 300]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyseHistory } from '#construct/history/index.js';
import { silentProgress } from '#kernel/events.js';
import { median, nameOf, ratio, runMeasured, runSelf } from './support/measure.js';
import { pydrillerRate } from './support/pydriller.js';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '5' },
    workers: { type: 'string', default: '2' },
    /** Commits that PyDriller reads, where it is installed. */
    pydriller: { type: 'string' },
    one: { type: 'string' },
    cache: { type: 'string' },
  },
});
const BASELINE = ['log', '-p', '-M', 'HEAD'];

interface Pass {
  ms: number;
  commits: number;
  definitions: number;
  peakKb: number;
}

if (values.one !== undefined) {
  const started = performance.now();
  const history = await analyseHistory(
    values.one,
    { cacheFolder: values.cache ?? null, workers: Number(values.workers) },
    silentProgress,
  );
  const ms = performance.now() - started;
  const definitions = history.commits.reduce((sum, commit) => sum + commit.definitions.length, 0);
  const pass: Pass = { ms, commits: history.commits.length, definitions, peakKb: process.resourceUsage().maxRSS };
  console.log(JSON.stringify(pass));
} else {
  const temporary = await mkdtemp(join(tmpdir(), 'bench-history-full-'));
  try {
    if (values.repo.length === 0) console.log('history-full: skipped, no repository (give --repo DIR)');
    console.log(
      `baseline: git ${BASELINE.join(' ')} >/dev/null; medians of ${values.runs} interleaved runs; ${values.workers} workers`,
    );
    for (const repository of values.repo) await compare(repository, temporary);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function compare(repository: string, temporary: string): Promise<void> {
  const git: { ms: number; cpuSeconds: number }[] = [];
  const cold: { ms: number; cpuSeconds: number; pass: Pass }[] = [];
  const warm: typeof cold = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    git.push(await runMeasured(['git', '--git-dir', repository, ...BASELINE]));
    const cache = join(temporary, `cache-${run}`);
    for (const list of [cold, warm]) {
      const { answer, ...measured } = await runSelf<Pass>([
        '--one',
        repository,
        '--cache',
        cache,
        '--workers',
        values.workers,
      ]);
      list.push({ ...measured, pass: answer });
    }
    await rm(cache, { recursive: true, force: true });
  }
  const baseline = median(git.map(({ ms }) => ms));
  const commits = cold[0]?.pass.commits ?? 0;
  console.log(`${nameOf(repository)} (${commits} commits, ${cold[0]?.pass.definitions} changed definitions)`);
  console.log(`  git ${baseline.toFixed(0)} ms, ${median(git.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} core-s`);
  for (const [name, list] of [
    ['cold', cold],
    ['warm', warm],
  ] as const) {
    const pass = median(list.map((entry) => entry.pass.ms));
    const whole = median(list.map(({ ms }) => ms));
    const peak = Math.max(...list.map((entry) => entry.pass.peakKb)) / 1024;
    console.log(
      `  ${name} ${pass.toFixed(0)} ms = ${ratio(pass, baseline)} (whole process ${whole.toFixed(0)} ms = ${ratio(whole, baseline)}), ${median(list.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} core-s, peak ${peak.toFixed(0)} MiB`,
    );
  }
  if (values.pydriller === undefined) return;
  const rate = await pydrillerRate(repository, Number(values.pydriller));
  const own = commits / (median(cold.map((entry) => entry.pass.ms)) / 1000);
  console.log(
    rate === null
      ? '  PyDriller: skipped, not installed for python3'
      : `  PyDriller ${rate.version}: ${rate.perSecond.toFixed(1)} commits/s over ${rate.commits} commits (${rate.failed} files failed); cold pass ${own.toFixed(0)} commits/s = ${(own / rate.perSecond).toFixed(1)}x`,
  );
}
