import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { experimentLayout } from '#documents/layout.js';
import { EXIT } from '#kernel/exit-codes.js';
import { REPORT_FORMATS, type ReportFormat, studyExperiment } from '#study/index.js';
import type { Bind, CommandContext } from '../context.js';
import { countOption, numberOption } from '../option-values.js';

interface Options {
  results?: string[];
  out?: string;
  format: ReportFormat[];
  seed: number;
  resamples: number;
}

export function reportCommand(bind: Bind): Command {
  return new Command('report')
    .description('tables and figures from results, as text and as one HTML file')
    .argument('[experiment...]', 'folders of experiments')
    .option('--results <file...>', "results.jsonl files, also of anyone's own harness")
    .option('--out <folder>', 'where the files go (default: report/ in the experiment, or ./report)')
    .addOption(
      new Option('--format <format...>', 'what to write')
        .choices([...REPORT_FORMATS])
        .default(['html', 'markdown', 'csv']),
    )
    .addOption(new Option('--seed <number>', 'seed of the resampling').default(1).argParser(numberOption))
    .addOption(new Option('--resamples <number>', 'bootstrap resamples').default(4000).argParser(countOption))
    .addHelpText(
      'after',
      '\nExamples:\n  featurearc report runs/pilot\n  featurearc report --results mine.jsonl --out report --format html latex',
    )
    .action((experiments: string[], options: Options) => bind((context) => report(context, experiments, options))());
}

async function report(context: CommandContext, experiments: string[], options: Options) {
  const results = [...experiments.map((folder) => experimentLayout(folder).results), ...(options.results ?? [])];
  if (results.length === 0) results.push((await isFolder('runs')) ? experimentLayout('runs').results : 'results.jsonl');
  const [first] = experiments;
  const study = await studyExperiment({
    resultsPaths: results,
    outDir: options.out ?? (first === undefined ? 'report' : experimentLayout(first).report),
    formats: options.format,
    seed: options.seed,
    resamples: options.resamples,
    color: process.stdout.isTTY === true && !context.json,
  });
  const written = study.paths.map(({ path }) => join(path));
  context.answer(`${study.terminal}\n${written.map((path) => `wrote ${path}\n`).join('')}`, {
    findings: study.findings,
    paths: study.paths,
  });
  return EXIT.yes;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
