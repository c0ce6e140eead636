import { Command, Option } from 'commander';
import { scanTaskSpecs } from '#construct/index.js';
import { type CheckReport, checkTask } from '#evaluate/index.js';
import { systemClock } from '#kernel/clock.js';
import { EXIT } from '#kernel/exit-codes.js';
import { unguessableId } from '#kernel/ids.js';
import type { SandboxKind } from '#sandbox/index.js';
import { cacheRoot, environmentFolder, openTaskPackage } from '#store/index.js';
import type { Bind, CommandContext } from '../context.js';
import { numberOption } from '../option-values.js';
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
      new Option('--repeats <number>', 'how often the oracle must pass every gate').default(3).argParser(numberOption),
    )
    .addOption(new Option('--concurrency <number>', 'gradings at once').default(2).argParser(numberOption))
    .addHelpText('after', '\nExample:\n  featurearc check tasks/shelf-search')
    .action((tasks: string[], options: Options) => bind((context) => check(context, tasks, options))());
}

async function check(context: CommandContext, folders: readonly string[], options: Options) {
  const kind = await sandboxKindOf(options.sandbox);
  const reports: (CheckReport & { task: string })[] = [];
  for (const folder of folders) {
    const task = await openTaskPackage(folder);
    const { environment } = task;
    const request = {
      repeats: options.repeats,
      sandbox: { kind, limits: { pids: 2048, memoryBytes: null, cpus: null, diskBytes: null } },
      environmentFolder:
        environment.recipe.kind === 'empty' ? null : await environmentFolder(cacheRoot(), environment.digest),
      concurrency: options.concurrency,
      scanSpecs: scanTaskSpecs,
      clock: systemClock,
      label: `check-${unguessableId(4)}`,
      signal: context.stopSoon,
    };
    reports.push({ task: task.task.id, ...(await checkTask(task, request, context.progress)) });
  }
  context.answer(reports.map(renderReport).join(''), { sandbox: kind, reports });
  return reports.every(({ ok }) => ok) ? EXIT.yes : EXIT.no;
}
