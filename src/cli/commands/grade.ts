import { Command, Option } from 'commander';
import { type RegradeReport, regradeRuns } from '#evaluate/index.js';
import { EXIT } from '#kernel/exit-codes.js';
import type { Bind, CommandContext } from '../context.js';
import { countOption } from '../option-values.js';
import { plainText } from '../render/plain-text.js';

interface Options {
  task?: string;
  agent?: string;
  all?: boolean;
  concurrency?: number;
}

export function gradeCommand(bind: Bind): Command {
  return new Command('grade')
    .description('verdicts again on kept snapshots, without running agents')
    .argument('<experiment>', "the experiment's folder")
    .option('--task <id>', 'only runs of this task')
    .option('--agent <name>', 'only runs of this agent')
    .option('--all', 'also what is not stale, reading no cache')
    .addOption(new Option('--concurrency <number>', 'gates held at once').argParser(countOption))
    .addHelpText('after', '\nExample, after a suite was mended:\n  featurearc grade runs/pilot --task click-choice')
    .action((folder: string, options: Options) => bind((context) => grade(context, folder, options))());
}

async function grade(context: CommandContext, folder: string, options: Options) {
  const report = await regradeRuns({
    folder,
    ...options,
    progress: context.progress,
    stop: { soon: context.stopSoon, now: context.stopNow },
  });
  context.answer(renderRegrade(report), report);
  if (report.interrupted) return EXIT.interrupted;
  return report.failed.length > 0 ? EXIT.partial : EXIT.yes;
}

function renderRegrade({ renewed, standing, failed, results }: RegradeReport): string {
  const word = (value: boolean | null): string => (value === null ? 'unknown' : value ? 'pass' : 'fail');
  const both = (held: { f2p: boolean | null; p2p: boolean | null } | null): string =>
    held === null ? 'none' : `F2P ${word(held.f2p)}, P2P ${word(held.p2p)}`;
  const lines = renewed.map(
    ({ agent, task, attempt, place, why, before, after }) =>
      `${plainText(`${agent} on ${task}, attempt ${attempt}, ${place === 'chain' ? 'chain' : `stage ${place}`}`)}: ${both(before)} → ${both(after)} (${plainText(why)})\n`,
  );
  const unheld = failed.map(
    ({ agent, task, place, fault }) => `not graded: ${plainText(`${agent} on ${task}, ${place}: ${fault.message}`)}\n`,
  );
  return `${lines.join('')}${unheld.join('')}${renewed.length} renewed, ${standing} stand\nresults: ${plainText(results)}\n`;
}
