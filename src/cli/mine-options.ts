import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MineRequest } from '#construct/index.js';
import { type SearchName, searchNames } from '#documents/chains.js';
import { durationMs } from '#documents/experiment.js';
import { type ModelApi, readModelSettings } from '#roles/index.js';
import { cacheRoot } from '#store/index.js';
import { countOption, durationOption, numberOption } from './option-values.js';
import { toolVersion } from './tool-version.js';

/** Options of every command that mines. */
export interface MineOptions {
  since?: number;
  until?: number;
  maxCommits?: number;
  path: string[];
  search: SearchName[];
  rank: 'total' | 'relation';
  top: number;
  seed: string;
  stars?: number;
  allowIncomplete?: boolean;
  allowUntested?: boolean;
  force?: boolean;
  workers?: number;
  reviewer: 'rules' | 'model';
  intents: 'rules' | 'model';
  model?: string;
  modelApi?: ModelApi;
  modelUrl?: string;
  modelPrice?: { input: number; output: number };
  modelTimeout: string;
  modelTries: number;
}

const collect = <T>(value: T, held: T[]): T[] => [...held, value];

export function addMineOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--since <date>', 'only groups of commits from this day on (2024-01-31)').argParser(dateOption),
    )
    .addOption(new Option('--until <date>', 'only groups of commits up to this instant').argParser(dateOption))
    .addOption(new Option('--max-commits <number>', 'only the newest so many commits').argParser(countOption))
    .option('--path <prefix>', 'only files below this path; may be given again', collect<string>, [])
    .addOption(
      new Option('--search <name>', `only this search; may be given again: ${searchNames.options.join(', ')}`)
        .argParser((value: string, held: SearchName[]) => collect(searchOption(value), held))
        .default([], 'all'),
    )
    .addOption(
      new Option('--rank <by>', 'order by relation, testability and removability, or by relation alone')
        .choices(['total', 'relation'])
        .default('total'),
    )
    .addOption(new Option('--top <number>', 'at most so many chains').default(30).argParser(countOption))
    .option('--seed <text>', 'seed of the searches', '0')
    .addOption(new Option('--stars <number>', 'stars of the repository, where known').argParser(numberOption))
    .option('--allow-incomplete', 'go on in a shallow or partial clone')
    .option('--allow-untested', 'also stages that change no test')
    .option('--force', 'go on although a criterion of admission is not met')
    .addOption(new Option('--workers <number>', 'threads that parse (default: one per core)').argParser(numberOption))
    .addOption(new Option('--reviewer <by>', 'who reviews the chains').choices(['rules', 'model']).default('rules'))
    .addOption(
      new Option('--intents <by>', 'who says what a change is for').choices(['rules', 'model']).default('rules'),
    )
    .option('--model <name>', 'the name of the model, where one is asked (or FEATUREARC_MODEL)')
    .addOption(new Option('--model-api <protocol>', 'how its server is spoken to').choices(['anthropic', 'openai']))
    .option('--model-url <address>', "its server (or FEATUREARC_MODEL_URL; default: the provider's)")
    .addOption(
      new Option('--model-price <input,output>', 'US dollars for a million tokens, to count costs').argParser(
        priceOption,
      ),
    )
    .addOption(new Option('--model-timeout <duration>', 'time for one answer').default('2m').argParser(durationOption))
    .addOption(
      new Option('--model-tries <number>', 'how often a busy or silent server is asked')
        .default(5)
        .argParser(numberOption),
    );
}

/** Reviews by a model at a time. */
const REVIEWS_AT_A_TIME = 4;

function modelOf(options: MineOptions): Pick<MineRequest, 'model' | 'byModel' | 'reviewsAtATime'> {
  const byModel = new Set<'review' | 'intents'>();
  if (options.reviewer === 'model') byModel.add('review');
  if (options.intents === 'model') byModel.add('intents');
  if (byModel.size === 0) return {};
  const { model, modelApi, modelUrl, modelPrice, modelTimeout, modelTries } = options;
  const settings = readModelSettings({
    ...(model === undefined ? {} : { model }),
    ...(modelApi === undefined ? {} : { api: modelApi }),
    ...(modelUrl === undefined ? {} : { url: modelUrl }),
    ...(modelPrice === undefined ? {} : { price: modelPrice }),
    timeoutMs: durationMs(modelTimeout),
    sendings: Math.max(1, modelTries),
  });
  return { model: settings, byModel, reviewsAtATime: REVIEWS_AT_A_TIME };
}

function priceOption(text: string): { input: number; output: number } {
  const [, input, output] = /^([0-9]+(?:\.[0-9]+)?),([0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? [];
  if (input === undefined) throw new InvalidArgumentError('two prices such as 3,15 are needed');
  return { input: Number(input), output: Number(output) };
}

/** What the conductor is asked for, from the options. */
export function mineRequest(repository: string, outFolder: string, options: MineOptions): MineRequest {
  const { since, until, maxCommits, path, search, rank, top, seed, stars, workers } = options;
  return {
    repository,
    outFolder,
    cacheFolder: join(cacheRoot(), 'history'),
    rank,
    seed,
    limit: top,
    toolVersion: toolVersion(),
    allowIncomplete: options.allowIncomplete ?? false,
    allowUntested: options.allowUntested ?? false,
    force: options.force ?? false,
    ...modelOf(options),
    ...(since === undefined ? {} : { sinceMs: since }),
    ...(until === undefined ? {} : { untilMs: until }),
    ...(maxCommits === undefined ? {} : { maxCommits }),
    ...(path.length === 0 ? {} : { paths: path }),
    ...(search.length === 0 ? {} : { searches: search }),
    ...(stars === undefined ? {} : { stars }),
    ...(workers === undefined ? {} : { workers }),
  };
}

function searchOption(value: string): SearchName {
  const parsed = searchNames.safeParse(value);
  if (!parsed.success) throw new InvalidArgumentError(`one of ${searchNames.options.join(', ')} is needed`);
  return parsed.data;
}

/** Milliseconds since the epoch of an ISO 8601 day or instant; a day is midnight UTC. */
function dateOption(text: string): number {
  const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
  const dated = text.includes('T') && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  const instant = form.test(text) && isDayOfCalendar(text) ? Date.parse(dated) : Number.NaN;
  if (Number.isNaN(instant))
    throw new InvalidArgumentError('a date such as 2024-01-31 or 2024-01-31T12:00:00Z is needed');
  return instant;
}

/** `Date.parse` takes the 31st of February for the 2nd of March. */
function isDayOfCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
