import { Command, Option } from 'commander';
import {
  type AdmissionVerdict,
  type ChainsRequest,
  constructChains,
  funnelOf,
  type MineReport,
  mineChains,
  ruleSpecWriter,
} from '#construct/index.js';
import { durationMs } from '#documents/experiment.js';
import { type Funnel, funnelDocument } from '#documents/funnel.js';
import { autoLayout } from '#documents/layout.js';
import { systemClock } from '#kernel/clock.js';
import { EXIT, type ExitCode } from '#kernel/exit-codes.js';
import { writeFileAtomic } from '#store/index.js';
import { addBuildOptions, type BuildOptions, buildRequest } from '../build-options.js';
import { checkFolder } from '../check-folder.js';
import type { Bind, CommandContext } from '../context.js';
import { addMineOptions, type MineOptions, mineRequest } from '../mine-options.js';
import { countOption, durationOption } from '../option-values.js';
import { renderFunnel } from '../render/render-funnel.js';
import { admissionLines } from '../render/render-mine.js';

interface Options extends MineOptions, BuildOptions {
  out: string;
  stopAfter?: number;
  budget: string;
}

export function autoCommand(bind: Bind): Command {
  const command = new Command('auto')
    .description(
      'tasks from a repository, unattended: mine, build and check, chain by chain; goes on where it was stopped',
    )
    .argument('<repository>', 'folder of a clone; it is never written to')
    .requiredOption('--out <folder>', 'where tasks, the funnel and all attempts go')
    .addOption(new Option('--stop-after <number>', 'enough once so many tasks are admitted').argParser(countOption))
    .addOption(
      new Option('--budget <duration>', 'begin nothing new after this time').default('2h').argParser(durationOption),
    );
  return addBuildOptions(addMineOptions(command), { mines: true })
    .addHelpText('after', '\nExample:\n  featurearc auto ./click --top 20 --stop-after 5 --budget 2h --out auto/click')
    .action((repository: string, options: Options) => bind((context) => auto(context, repository, options))());
}

async function auto(context: CommandContext, repository: string, options: Options): Promise<ExitCode> {
  const mined = await mine(context, repository, options);
  context.note(admissionLines(mined.document.admission));
  context.note(`mined ${mined.document.chains.length} chain(s): ${autoLayout(options.out).mined}/chains.md`);
  const build = await buildRequest(options);
  const request: ChainsRequest = {
    document: mined.document,
    repositoryPath: repository,
    outFolder: options.out,
    build,
    specs: ruleSpecWriter,
    admit: (folder) => admit(context, folder, { kind: build.sandbox, ...options, signal: context.stopSoon }),
    stopAfter: options.stopAfter ?? null,
    budgetMs: durationMs(options.budget),
    clock: systemClock,
  };
  const outcome = await constructChains(request, context.progress, context.stopSoon);
  const funnel = funnelOf(mined.document, mined.rejections, outcome);
  const file = autoLayout(options.out).funnel;
  await writeFileAtomic(file, funnelDocument.print(funnel));
  context.answer(renderFunnel(funnel, options.out), { folder: options.out, file, ...funnel });
  return exitOf(funnel);
}

async function mine(context: CommandContext, repository: string, options: Options): Promise<MineReport> {
  const request = mineRequest(repository, autoLayout(options.out).mined, options);
  try {
    return await mineChains(request, context.progress, context.stopSoon);
  } catch (thrown) {
    if (!context.stopSoon.aborted) throw thrown;
    context.note('stopped; what was parsed is kept, and the same command goes on from there');
    throw context.stopSoon.reason;
  }
}

async function admit(
  { progress }: CommandContext,
  folder: string,
  asked: Parameters<typeof checkFolder>[1],
): Promise<AdmissionVerdict> {
  const { ok, findings } = await checkFolder(folder, asked, progress);
  const refusals = findings.filter(({ severity }) => severity === 'refusal');
  return { ok, refusals: refusals.map(({ file, message }) => `${file}: ${message}`) };
}

/** Stopped by the clock with chains left is partial; otherwise it is the admitted tasks that count. */
function exitOf({ ended, counts }: Funnel): ExitCode {
  if (ended === 'interrupted') return EXIT.interrupted;
  if (ended === 'budget') return EXIT.partial;
  return counts.admitted > 0 ? EXIT.yes : EXIT.no;
}
