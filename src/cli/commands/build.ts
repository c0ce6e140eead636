import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type ConstructRequest,
  chainPart,
  constructTask,
  locateChain,
  pickChain,
  readChains,
  ruleSpecWriter,
  type StageRange,
} from '#construct/index.js';
import { EXIT, type ExitCode } from '#kernel/exit-codes.js';
import { Fault } from '#kernel/faults.js';
import { addBuildOptions, type BuildOptions, buildRequest } from '../build-options.js';
import type { Bind, CommandContext } from '../context.js';
import { renderBuild } from '../render/render-build.js';

interface Options extends BuildOptions {
  stage: string[];
  checkpoint?: string;
  chains?: string;
  chain?: string;
  stages?: StageRange;
  out: string;
  id?: string;
  title?: string;
}

const collect = (value: string, held: string[]): string[] => [...held, value];

export function buildCommand(bind: Bind): Command {
  const command = new Command('build')
    .description("a task package from commits of a repository's history: of a mined chain, or named by hand")
    .argument('<repository>', 'folder of a clone; it is never written to')
    .option(
      '--stage <commits>',
      'commits of one stage, parted by commas, oldest first; once per stage, in order',
      collect,
      [],
    )
    .option('--chains <file>', 'chains.json of `mine`, to take a chain from')
    .option('--chain <chain>', 'the chain: its id, the beginning of it, or its rank')
    .addOption(
      new Option('--stages <range>', 'only these stages of the chain, such as 0-2 (default: all)').argParser(
        rangeOption,
      ),
    )
    .option(
      '--checkpoint <revision>',
      "state from which the stages are removed (default: the last stage's last commit)",
    )
    .requiredOption('--out <folder>', "where the task's folder is made")
    .option('--id <id>', 'id of the task')
    .option('--title <title>', 'title of the feature');
  return addBuildOptions(command)
    .addHelpText(
      'after',
      '\nExamples, the best chain that was mined, and a task of three stages, the first made by three commits:\n  featurearc build ./click --chains mined/click/chains.json --chain 1 --out tasks\n  featurearc build ./click --stage c1b3497,89e74e8,1a714b3 --stage b964c1e,5eb46cb --stage 4ece17a --out tasks',
    )
    .action((repository: string, options: Options) => bind((context) => build(context, repository, options))());
}

async function build(context: CommandContext, repository: string, options: Options): Promise<ExitCode> {
  const named = await namedStages(repository, options);
  const { id, title, checkpoint } = options;
  const report = await constructTask(
    {
      repository,
      ...named,
      outFolder: options.out,
      ...(id === undefined ? {} : { id }),
      ...(title === undefined ? {} : { title }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(await buildRequest(options)),
      signal: context.stopSoon,
    },
    ruleSpecWriter,
    context.progress,
  );
  context.answer(renderBuild(report), report);
  return EXIT.yes;
}

async function namedStages(
  repository: string,
  options: Options,
): Promise<Pick<ConstructRequest, 'stages' | 'title' | 'chain' | 'checkpoint'>> {
  const { stage, chains, chain, stages } = options;
  const isMixed = stage.length > 0 && (chains !== undefined || chain !== undefined || stages !== undefined);
  if (isMixed || (stage.length === 0 && (chains === undefined || chain === undefined)))
    throw new Fault({
      code: 'stages-unnamed',
      kind: 'usage',
      message: 'the stages have to be named in one way: by --stage, or by --chains and --chain',
      hint: 'Give --chains FILE --chain ID for a mined chain, or --stage COMMITS once per stage.',
    });
  if (chains === undefined || chain === undefined)
    return { stages: stage.map((commits) => commits.split(',').map((commit) => commit.trim())) };
  const document = await readChains(chains);
  const part = chainPart(document, pickChain(document, chain, chains), stages ?? null);
  return { ...part, ...(await locateChain(repository, part)) };
}

/** `0-2`, or `1` for a single stage. */
function rangeOption(text: string): StageRange {
  const [, from, to] = /^([0-9]{1,3})(?:-([0-9]{1,3}))?$/.exec(text) ?? [];
  if (from === undefined) throw new InvalidArgumentError('consecutive stages such as 0-2 are needed');
  return { from: Number(from), to: Number(to ?? from) };
}
