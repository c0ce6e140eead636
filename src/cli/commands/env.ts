import { Command } from 'commander';
import { restoreEnvironment } from '#construct/index.js';
import { taskLayout } from '#documents/layout.js';
import { EXIT } from '#kernel/exit-codes.js';
import { unguessableId } from '#kernel/ids.js';
import type { SandboxKind } from '#sandbox/index.js';
import { cacheRoot, openTaskPackage } from '#store/index.js';
import type { Bind, CommandContext } from '../context.js';
import { plainText } from '../render/plain-text.js';
import { sandboxKindOf, sandboxOption } from '../sandbox-option.js';

export function envCommand(bind: Bind): Command {
  return new Command('env')
    .description(
      "makes tasks' environments on this machine from their exact inputs (needs the package registries once)",
    )
    .argument('<task...>', 'folders of task packages')
    .addOption(sandboxOption())
    .addHelpText('after', '\nExample:\n  featurearc env tasks/click-choice')
    .action((tasks: string[], options: { sandbox: SandboxKind | 'auto' }) =>
      bind((context) => make(context, tasks, options.sandbox))(),
    );
}

async function make(context: CommandContext, folders: readonly string[], option: SandboxKind | 'auto') {
  const sandbox = await sandboxKindOf(option);
  const made: { task: string; digest: string; folder: string | null }[] = [];
  for (const folder of folders) {
    const { task, environment } = await openTaskPackage(folder);
    const content = await restoreEnvironment({
      environment,
      inputsFolder: taskLayout(folder).environmentInputs,
      storeRoot: cacheRoot(),
      sandbox,
      label: `env-${unguessableId(4)}`,
      signal: context.stopSoon,
    });
    made.push({ task: task.id, digest: environment.digest, folder: content });
  }
  context.answer(made.map(({ task, folder }) => `${plainText(task)}  ${folder ?? 'needs nothing'}\n`).join(''), {
    environments: made,
  });
  return EXIT.yes;
}
