import type { NumberedResult, ResultsRead } from '#documents/read-results.js';
import { resultLine } from '#documents/results.js';

/** A run in short: two signs per gate, F2P then P2P (`+` passed, `-` failed, `?` unknown). */
export interface ShortRun {
  readonly agent?: string;
  readonly task: string;
  readonly attempt?: number;
  /** One word per stage, e.g. `'++ -+ ++'`; a stage with repair rounds has its verdicts joined by `>`: `-+>++`. */
  readonly stages: string;
  /** The chain gate; null where the run has none. */
  readonly chain: string | null;
  /** More fields for every line of the run. */
  readonly more?: Record<string, unknown>;
}

/** The lines of a run written in short. */
export function runLines({
  agent = 'a',
  task,
  attempt = 1,
  stages,
  chain,
  more = {},
}: ShortRun): Record<string, unknown>[] {
  const identity = { agent, task, attempt, level: 'L4', mode: 'chain', outcome: 'completed', ...more };
  const words = stages.split(' ').filter((word) => word !== '');
  return [
    ...words.flatMap((word, stage) =>
      word.split('>').map((verdict, round) => ({ kind: 'stage', ...identity, stage, round, ...verdictOf(verdict) })),
    ),
    ...(chain === null ? [] : [{ kind: 'chain', ...identity, ...verdictOf(chain) }]),
  ];
}

function verdictOf(signs: string): { f2p: boolean | null; p2p: boolean | null } {
  const sign = (place: number): boolean | null => (signs[place] === '+' ? true : signs[place] === '-' ? false : null);
  return { f2p: sign(0), p2p: sign(1) };
}

/** Lines as a reader of results would give them. */
export function readLines(lines: readonly Record<string, unknown>[], where = 'results.jsonl'): ResultsRead {
  const numbered = lines.map(
    (line, place): NumberedResult => ({ where, line: place + 1, value: resultLine.parse(line) }),
  );
  return { where, lines: numbered, torn: null };
}
