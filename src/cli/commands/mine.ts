import { Command, Option } from 'commander';
import { mineChains, pickChain, readChains } from '#construct/index.js';
import { minedLayout } from '#documents/layout.js';
import { EXIT, type ExitCode } from '#kernel/exit-codes.js';
import { Fault } from '#kernel/faults.js';
import type { Bind, CommandContext } from '../context.js';
import { addMineOptions, type MineOptions, mineRequest } from '../mine-options.js';
import { renderExplanation } from '../render/render-explanation.js';
import { admissionLines, mineJson, renderMine, unreviewedNote } from '../render/render-mine.js';

interface Options extends MineOptions {
  out: string;
  graph?: 'graphml' | 'json';
  explain?: string;
}

export function mineCommand(bind: Bind): Command {
  const command = new Command('mine')
    .description("feature chains from a repository's history, ranked, each with its evidence")
    .argument('[repository]', 'folder of a clone; it is never written to')
    .requiredOption('--out <folder>', 'where chains.json, rejections.jsonl and chains.md go')
    .addOption(new Option('--graph <format>', 'write the evidence graph too').choices(['graphml', 'json']))
    .option(
      '--explain <chain>',
      'show the evidence of a chain in --out (by id, its beginning, or its rank), and mine nothing',
    );
  return addMineOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  featurearc mine ./click --out mined/click\n  featurearc mine ./click --since 2020-01-01 --path src --search beam --out mined/click\n  featurearc mine --explain 1 --out mined/click',
    )
    .action((repository: string | undefined, options: Options) =>
      bind((context) =>
        options.explain === undefined
          ? mine(context, repository, options)
          : explain(context, options.explain, options.out),
      )(),
    );
}

async function mine(context: CommandContext, repository: string | undefined, options: Options): Promise<ExitCode> {
  if (repository === undefined)
    throw new Fault({
      code: 'repository-unnamed',
      kind: 'usage',
      message: 'no repository is named',
      hint: 'Give the folder of a clone: featurearc mine ./click --out mined/click',
    });
  const request = {
    ...mineRequest(repository, options.out, options),
    ...(options.graph === undefined ? {} : { graph: options.graph }),
  };
  try {
    const report = await mineChains(request, context.progress, context.stopSoon);
    context.note(admissionLines(report.document.admission));
    const unreviewed = unreviewedNote(report.document);
    if (unreviewed !== null) context.note(unreviewed);
    context.answer(renderMine(report), mineJson(report));
    return EXIT.yes;
  } catch (thrown) {
    if (!context.stopSoon.aborted) throw thrown;
    context.note('stopped; what was parsed is kept, and the same command goes on from there');
    throw context.stopSoon.reason;
  }
}

async function explain(context: CommandContext, asked: string, folder: string): Promise<ExitCode> {
  const file = minedLayout(folder).chains;
  const document = await readChains(file);
  const chain = pickChain(document, asked, file);
  context.answer(renderExplanation(chain), chain);
  return EXIT.yes;
}
