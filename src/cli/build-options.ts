import { type Command, Option } from 'commander';
import type { ConstructRequest } from '#construct/index.js';
import { durationMs } from '#documents/experiment.js';
import { RUNNERS, type RunnerName } from '#documents/test-identity.js';
import type { SandboxKind } from '#sandbox/index.js';
import { cacheRoot } from '#store/index.js';
import { countOption, durationOption, numberOption } from './option-values.js';
import { sandboxKindOf, sandboxOption } from './sandbox-option.js';
import { toolVersion } from './tool-version.js';

/** Options of every command that builds tasks. */
export interface BuildOptions {
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
  wholeSuite: string;
}

/** All but `--stars` and `--seed`, which a command that mines as well already has. */
export function addBuildOptions(command: Command, already: { mines: boolean } = { mines: false }): Command {
  if (!already.mines)
    command
      .addOption(new Option('--stars <number>', 'stars of the repository, where known').argParser(numberOption))
      .option('--seed <text>', 'seed of orders and samples', '1');
  return command
    .option('--domain <domain>', 'application domain, for statistics')
    .option('--repo <name>', 'name of the repository for readers, such as owner/name')
    .option('--license <spdx>', 'licence of the repository')
    .addOption(new Option('--runner <runner>', 'test runner (default: told from the files)').choices([...RUNNERS]))
    .addOption(sandboxOption())
    .addOption(new Option('--repeats <number>', 'how often each observation is made').default(3).argParser(countOption))
    .addOption(new Option('--concurrency <number>', 'suite runs at once').default(2).argParser(countOption))
    .addOption(
      new Option('--stage-budget <duration>', "an agent's time for a stage").default('4h').argParser(durationOption),
    )
    .addOption(
      new Option('--suite-timeout <duration>', 'time for one run of a suite').default('10m').argParser(durationOption),
    )
    .addOption(
      new Option(
        '--whole-suite <duration>',
        'up to this long, a run takes all tests; above, the changed files and a sample',
      )
        .default('10m')
        .argParser(durationOption),
    )
    .addOption(new Option('--test-timeout <duration>', 'time for one test').default('60s').argParser(durationOption));
}

/** What of a construction does not depend on the stages. */
export type BuildRequest = Omit<
  ConstructRequest,
  'repository' | 'stages' | 'chain' | 'checkpoint' | 'outFolder' | 'id' | 'title' | 'signal'
>;

export async function buildRequest(options: BuildOptions): Promise<BuildRequest> {
  const { domain, license, stars, runner, repo } = options;
  return {
    ...(domain === undefined ? {} : { domain }),
    ...(license === undefined ? {} : { license }),
    ...(stars === undefined ? {} : { stars }),
    ...(runner === undefined ? {} : { runner }),
    ...(repo === undefined ? {} : { repositoryName: repo }),
    sandbox: await sandboxKindOf(options.sandbox),
    storeRoot: cacheRoot(),
    repeats: options.repeats,
    parallel: options.concurrency,
    seed: options.seed,
    stageMs: durationMs(options.stageBudget),
    timeoutMs: durationMs(options.suiteTimeout),
    wholeSuiteMs: durationMs(options.wholeSuite),
    perTestTimeoutMs: durationMs(options.testTimeout),
    toolVersion: toolVersion(),
  };
}
