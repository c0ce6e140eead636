import type { NumberedResult } from '#documents/read-results.js';
import type { ResultLine } from '#documents/results.js';
import { Fault } from '#kernel/faults.js';
import { canonicalJson } from '#kernel/ids.js';

/** Which experiment, level and mode to study; an absent key takes all, null takes the lines that name none. */
export interface StudyFilter {
  readonly experiment?: string | null;
  readonly level?: string | null;
  readonly mode?: string | null;
}

/**
 * Drops lines that say again, word for word, what an earlier line said.
 * @throws Fault `results-conflict` (input) where two lines about the same thing differ
 */
export function distinctLines(lines: readonly NumberedResult[]): { lines: NumberedResult[]; repeated: number } {
  const seen = new Map<string, NumberedResult>();
  const distinct: NumberedResult[] = [];
  let repeated = 0;
  for (const numbered of lines) {
    const key = JSON.stringify(identityOf(numbered.value));
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, numbered);
      distinct.push(numbered);
    } else if (canonicalJson(earlier.value) === canonicalJson(numbered.value)) {
      repeated += 1;
    } else {
      throw conflict(earlier, numbered);
    }
  }
  return { lines: distinct, repeated };
}

/** Keeps the lines of the filtered experiment, level and mode; task lines belong to all. */
export function selectLines(lines: readonly NumberedResult[], filter: StudyFilter): NumberedResult[] {
  return lines.filter(
    ({ value }) =>
      value.kind === 'task' ||
      (['experiment', 'level', 'mode'] as const).every(
        (field) => filter[field] === undefined || filter[field] === value[field],
      ),
  );
}

/** What a line is about; no two lines may be about the same. */
function identityOf(line: ResultLine): (string | number | null)[] {
  if (line.kind === 'task') return ['task', line.task];
  const run = [line.kind, line.experiment, line.level, line.mode, line.agent, line.task, line.attempt];
  switch (line.kind) {
    case 'stage':
      return [...run, line.stage, line.round];
    case 'chain':
      return run;
    case 'matrix':
      return [...run, line.suiteStage, line.snapshotStage];
    case 'label':
      return [...run, line.stage, line.label, line.judge];
    case 'inheritance':
      return [...run, line.stage];
  }
}

function conflict(first: NumberedResult, second: NumberedResult): Fault {
  return new Fault({
    code: 'results-conflict',
    kind: 'input',
    message: `${second.where}: line ${second.line}: says otherwise than ${first.where} line ${first.line} about the same ${second.value.kind}`,
    hint: 'Give each experiment its own name in the field "experiment", or remove the line that is out of date.',
    context: { first: `${first.where}:${first.line}`, second: `${second.where}:${second.line}` },
  });
}
