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
  const seen = new Map<string, { text: string; at: NumberedResult }>();
  const distinct: NumberedResult[] = [];
  let repeated = 0;
  for (const numbered of lines) {
    const key = identityOf(numbered.value);
    const text = canonicalJson(numbered.value);
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, { text, at: numbered });
      distinct.push(numbered);
    } else if (earlier.text === text) {
      repeated += 1;
    } else {
      throw conflict(earlier.at, numbered);
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

function identityOf(line: ResultLine): string {
  if (line.kind === 'task') return canonicalJson(['task', line.task]);
  const run = [line.kind, line.experiment, line.level, line.mode, line.agent, line.task, line.attempt];
  switch (line.kind) {
    case 'stage':
      return canonicalJson([...run, line.stage, line.round]);
    case 'chain':
      return canonicalJson(run);
    case 'matrix':
      return canonicalJson([...run, line.suiteStage, line.snapshotStage]);
    case 'label':
      return canonicalJson([...run, line.stage, line.label, line.judge]);
    case 'inheritance':
      return canonicalJson([...run, line.stage]);
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
