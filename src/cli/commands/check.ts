import { Command, Option } from 'commander';
import { EXIT } from '#kernel/exit-codes.js';
import type { SandboxKind } from '#sandbox/index.js';
import { checkFolder, type FolderReport } from '../check-folder.js';
import type { Bind, CommandContext } from '../context.js';
import { countOption } from '../option-values.js';
import { renderReport } from '../render/render-check.js';
import { sandboxKindOf, sandboxOption } from '../sandbox-option.js';

interface Options {
  sandbox: SandboxKind | 'auto';
  repeats: number;
  concurrency: number;
}

export function checkCommand(bind: Bind): Command {
  return new Command('check')
    .description('whether tasks are fit to evaluate with: oracle and no-op, repeated; specs; suites')
    .argument('<task...>', 'folders of task packages')
    .addOption(sandboxOption())
    .addOption(
      new Option('--repeats <number>', 'how often the oracle must pass every gate').default(3).argParser(countOption),
    )
    .addOption(new Option('--concurrency <number>', 'gradings at once').default(2).argParser(countOption))
    .addHelpText('after', '\nExample:\n  featurearc check tasks/shelf-search')
    .action((tasks: string[], options: Options) => bind((context) => check(context, tasks, options))());
}

async function check(context: CommandContext, folders: readonly string[], options: Options) {
  const kind = await sandboxKindOf(options.sandbox);
  const reports: FolderReport[] = [];
  for (const folder of folders) {
    const asked = { kind, repeats: options.repeats, concurrency: options.concurrency, signal: context.stopSoon };
    reports.push(await checkFolder(folder, asked, context.progress));
  }
  context.answer(reports.map(renderReport).join(''), { sandbox: kind, reports });
  return reports.every(({ ok }) => ok) ? EXIT.yes : EXIT.no;
}
