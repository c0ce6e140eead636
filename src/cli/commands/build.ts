import { Command, Option } from 'commander';
import { type ConstructRequest, constructTask, ruleSpecWriter } from '#construct/index.js';
import { durationMs } from '#documents/experiment.js';
import { RUNNERS, type RunnerName } from '#documents/test-identity.js';
import { EXIT } from '#kernel/exit-codes.js';
import type { SandboxKind } from '#sandbox/index.js';
import { cacheRoot } from '#store/index.js';
import type { Bind, CommandContext } from '../context.js';
import { durationOption, numberOption } from '../option-values.js';
import { renderBuild } from '../render/render-build.js';
import { sandboxKindOf, sandboxOption } from '../sandbox-option.js';
import { toolVersion } from '../tool-version.js';

interface Options {
  stage: string[];
  checkpoint?: string;
  out: string;
  id?: string;
  title?: string;
  domain?: string;
  repo?: string;
  license?: string;
  stars?: number;
  runner?: RunnerName;
  sandbox: SandboxKind | 'auto';
  repeats: number;
  concurrency: number;
  seed: string;
  stageBudget: string;
  suiteTimeout: string;
  testTimeout: string;
}

const collect = (value: string, held: string[]): string[] => [...held, value];

export function buildCommand(bind: Bind): Command {
  return new Command('build')
    .description("a task package from commits of a repository's history")
    .argument('<repository>', 'folder of a clone; it is never written to')
    .requiredOption(
      '--stage <commits>',
      'commits of one stage, parted by commas, oldest first; once per stage, in order',
      collect,
      [],
    )
    .option(
      '--checkpoint <revision>',
      "state from which the stages are removed (default: the last stage's last commit)",
    )
    .requiredOption('--out <folder>', "where the task's folder is made")
    .option('--id <id>', 'id of the task')
    .option('--title <title>', 'title of the feature')
    .option('--domain <domain>', 'application domain, for statistics')
    .option('--repo <name>', 'name of the repository for readers, such as owner/name')
    .option('--license <spdx>', 'licence of the repository')
    .addOption(new Option('--stars <number>', 'stars of the repository, where known').argParser(numberOption))
    .addOption(new Option('--runner <runner>', 'test runner (default: told from the files)').choices([...RUNNERS]))
    .addOption(sandboxOption())
    .addOption(
      new Option('--repeats <number>', 'how often each observation is made').default(3).argParser(numberOption),
    )
    .addOption(new Option('--concurrency <number>', 'suite runs at once').default(2).argParser(numberOption))
    .option('--seed <text>', 'seed of orders and samples', '1')
    .addOption(
      new Option('--stage-budget <duration>', "an agent's time for a stage").default('4h').argParser(durationOption),
    )
    .addOption(
      new Option('--suite-timeout <duration>', 'time for one run of a suite').default('10m').argParser(durationOption),
    )
    .addOption(new Option('--test-timeout <duration>', 'time for one test').default('60s').argParser(durationOption))
    .addHelpText(
      'after',
      '\nExample, a task of three stages, the second made by two commits:\n  featurearc build ./click --stage 138a6e3,c70d463 --stage c1b3497,89e74e8 --stage 4ece17a --out tasks',
    )
    .action((repository: string, options: Options) => bind((context) => build(context, repository, options))());
}

async function build(context: CommandContext, repository: string, options: Options) {
  const { id, title, domain, license, stars, runner, checkpoint, repo } = options;
  const given = { id, title, domain, license, stars, runner, checkpoint, repositoryName: repo };
  const report = await constructTask(
    {
      repository,
      stages: options.stage.map((commits) => commits.split(',').map((commit) => commit.trim())),
      outFolder: options.out,
      ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<
        typeof given
      >),
      sandbox: await sandboxKindOf(options.sandbox),
      storeRoot: cacheRoot(),
      repeats: options.repeats,
      parallel: options.concurrency,
      seed: options.seed,
      stageMs: durationMs(options.stageBudget),
      timeoutMs: durationMs(options.suiteTimeout),
      perTestTimeoutMs: durationMs(options.testTimeout),
      toolVersion: toolVersion(),
    } as ConstructRequest,
    ruleSpecWriter,
    context.progress,
  );
  context.answer(renderBuild(report), report);
  return EXIT.yes;
}
