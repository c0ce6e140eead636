import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { constructTask, ruleSpecWriter, scanTaskSpecs } from '#construct/index.js';
import { experimentLayout } from '#documents/layout.js';
import { checkTask, runExperiment } from '#evaluate/index.js';
import { systemClock } from '#kernel/clock.js';
import { EXIT } from '#kernel/exit-codes.js';
import { unguessableId } from '#kernel/ids.js';
import { chooseSandbox, type SandboxKind } from '#sandbox/index.js';
import { cacheRoot, openTaskPackage } from '#store/index.js';
import { studyExperiment } from '#study/index.js';
import type { Bind, CommandContext } from '../context.js';
import { plainText } from '../render/plain-text.js';
import { renderBuild } from '../render/render-build.js';
import { renderReport } from '../render/render-check.js';
import { buildSampleRepository } from '../sample/build-sample.js';
import { sandboxOption } from '../sandbox-option.js';
import { toolVersion } from '../tool-version.js';

/** Suite runs and gradings at once: the demo is for small machines. */
const AT_ONCE = 2;
/** The faulty agent's defect: in the second stage, seen at once, and again by new tests of the third and by old ones of the fourth. */
const DEFECT = { stage: 1, seed: 1 };

export function demoCommand(bind: Bind): Command {
  return new Command('demo')
    .description('the whole loop on a bundled repository: build, check, run, report; no key, no container, no network')
    .option('--out <folder>', 'where everything goes (default: a new temporary folder)')
    .addOption(sandboxOption())
    .addHelpText('after', '\nExample:\n  featurearc demo --out demo')
    .action((options: { out?: string; sandbox: SandboxKind | 'auto' }) => bind((context) => demo(context, options))());
}

async function demo(context: CommandContext, options: { out?: string; sandbox: SandboxKind | 'auto' }) {
  // The agents of the demo act from the host and run nothing of a model's, so `local` will do where nothing isolates.
  const sandbox = options.sandbox === 'auto' ? await chooseSandbox({ isolatingNeeded: false }) : options.sandbox;
  // Not one of the store's temporary folders: those are swept, and this one is for its reader to keep.
  const folder = options.out === undefined ? await mkdtemp(join(tmpdir(), 'featurearc-demo-')) : resolve(options.out);
  await mkdir(folder, { recursive: true });

  context.note('1/4 build: a task of four stages from the commits of the sample repository');
  const sample = await buildSampleRepository(join(folder, 'repository'));
  const built = await constructTask(
    {
      repository: sample.folder,
      stages: sample.stages,
      checkpoint: 'HEAD',
      outFolder: join(folder, 'tasks'),
      id: 'shelf-search',
      title: sample.feature,
      domain: 'sample',
      repositoryName: 'featurearc/shelf',
      license: 'MIT',
      sandbox,
      storeRoot: cacheRoot(),
      repeats: 3,
      parallel: AT_ONCE,
      seed: '1',
      stageMs: 4 * 3_600_000,
      timeoutMs: 120_000,
      perTestTimeoutMs: 30_000,
      signal: context.stopSoon,
      toolVersion: toolVersion(),
    },
    ruleSpecWriter,
    context.progress,
  );
  context.note(renderBuild(built));

  context.note('2/4 check: oracle and no-op, repeated');
  const task = await openTaskPackage(built.folder);
  const checked = await checkTask(
    task,
    {
      repeats: 3,
      sandbox: { kind: sandbox, limits: { pids: 2048, memoryBytes: null, cpus: null, diskBytes: null } },
      environmentFolder: null,
      concurrency: AT_ONCE,
      scanSpecs: scanTaskSpecs,
      clock: systemClock,
      label: `demo-${unguessableId(4)}`,
      signal: context.stopSoon,
    },
    context.progress,
  );
  context.note(renderReport({ task: task.task.id, ...checked }));

  context.note('3/4 run: oracle, nop and a faulty agent, delegation level L4');
  const experiment = join(folder, 'experiment.yaml');
  await writeFile(experiment, experimentText(sandbox));
  const report = await runExperiment({
    file: experiment,
    folder: join(folder, 'runs'),
    toolVersion: toolVersion(),
    progress: context.progress,
    stop: { soon: context.stopSoon, now: context.stopNow },
  });

  context.note('4/4 report');
  const outDir = experimentLayout(join(folder, 'runs')).report;
  const study = await studyExperiment({
    resultsPaths: [report.results],
    outDir,
    formats: ['html', 'markdown', 'csv'],
    color: process.stdout.isTTY === true && !context.json,
  });
  const html = study.paths.find(({ format }) => format === 'html')?.path ?? null;
  context.answer(`${study.terminal}\nsandbox: ${sandbox}\nreport: ${plainText(html ?? outDir)}\n`, {
    folder,
    task: built.folder,
    sandbox,
    admitted: checked.ok,
    results: report.results,
    report: html,
    findings: study.findings,
  });
  if (report.interrupted) return EXIT.interrupted;
  if (report.unfinished.length > 0) return EXIT.partial;
  return checked.ok ? EXIT.yes : EXIT.no;
}

function experimentText(sandbox: SandboxKind): string {
  return `name: demo
tasks: [tasks/shelf-search]
agents:
  - {name: oracle, scaffold: oracle}
  - {name: faulty, scaffold: faulty, options: {stage: ${DEFECT.stage}, seed: ${DEFECT.seed}}}
  - {name: nop, scaffold: nop}
protocol: {level: L4, mode: chain, attempts: 1, seed: 1}
sandbox: {kind: ${sandbox}}
concurrency: {runs: 1, grading: ${AT_ONCE}}
`;
}
