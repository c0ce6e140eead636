import { basename, extname, join } from 'node:path';
import { Command } from 'commander';
import { type ExperimentReport, runExperiment } from '#evaluate/index.js';
import { EXIT } from '#kernel/exit-codes.js';
import { composeStudy } from '../compose-study.js';
import type { Bind, CommandContext } from '../context.js';
import { plainText } from '../render/plain-text.js';
import { toolVersion } from '../tool-version.js';

interface Options {
  out?: string;
  renew?: boolean;
}

export function runCommand(bind: Bind): Command {
  return new Command('run')
    .description('agents through tasks, stage by stage, as an experiment file says; goes on where it was stopped')
    .argument('<experiment>', 'experiment file (YAML)')
    .option('--out <folder>', "the experiment's folder (default: runs/NAME-OF-THE-FILE)")
    .option('--renew', 'set runs aside that can no longer be continued, and run them anew')
    .addHelpText('after', '\nExample:\n  featurearc run pilot.yaml\n  featurearc report runs/pilot')
    .action((file: string, options: Options) => bind((context) => run(context, file, options))());
}

async function run(context: CommandContext, file: string, options: Options) {
  const folder = options.out ?? join('runs', basename(file, extname(file)));
  const report = await runExperiment({
    file,
    folder,
    toolVersion: toolVersion(),
    renew: options.renew ?? false,
    progress: context.progress,
    stop: { soon: context.stopSoon, now: context.stopNow },
  });
  const table = await composeStudy(report.results);
  context.answer(`${table}\n${renderRuns(report)}`, { ...report, lines: undefined });
  if (report.interrupted) return EXIT.interrupted;
  return report.unfinished.length > 0 ? EXIT.partial : EXIT.yes;
}

function renderRuns({ folder, runs, unfinished, sandbox }: ExperimentReport): string {
  const lines = unfinished.map(({ agent, task, attempt, end, fault }) => {
    const why = fault === null ? end : `${end}: ${fault.message}`;
    return `unfinished: ${plainText(`${agent} on ${task}, attempt ${attempt}: ${why}`)}\n`;
  });
  return `${runs.length} runs in ${plainText(folder)} (sandbox ${sandbox})\n${lines.join('')}${unfinished.length > 0 ? 'Run the same command again to go on with them.\n' : ''}`;
}
