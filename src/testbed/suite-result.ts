import { testId } from '#documents/test-identity.js';
import type { RunFailure, SuiteRunResult, TargetResult } from './contract.js';
import type { ProcessOutcome } from './fold-process.js';
import type { ProcessFacts } from './report-facts.js';
import type { Supervised } from './supervise-suite.js';

const OUTPUT_BYTES = 256 * 1024;
const EVIDENCE_CHARACTERS = 4_000;

/** What came of a suite: one or more supervised starts, each with its processes folded. */
export interface SuiteParts {
  /** All files asked for, in the order in which they were to run. */
  files: readonly string[];
  supervised: readonly Supervised[];
  outcomes: readonly ProcessOutcome[];
}

/** Joins the parts of a run into its result, and says what, if anything, its report lacks. */
export function suiteResult({ files, supervised, outcomes }: SuiteParts): SuiteRunResult {
  const targets = targetsOf(files, outcomes);
  const evidence = [...supervised.flatMap(evidenceOf), ...outcomes.flatMap((outcome) => outcome.evidence)];
  const forgeries = [
    ...supervised.map(({ report }) => report.forgery),
    ...outcomes.map(({ forgery }) => forgery),
    repeated(outcomes),
  ].filter((forgery) => forgery !== null);
  const ends = supervised.flatMap(({ report }) => report.processes.map(({ end }) => end));
  const codes = ends.map((end) => end?.exitCode ?? null);
  const timedOut = supervised.some(({ exec }) => exec.timedOut) || ends.some((end) => end?.killed != null);
  const said = [...forgeries, ...evidence, ...targets.filter(isBroken).map(sayTarget)].join('\n');
  return {
    tests: outcomes.flatMap(({ tests }) => tests),
    targets,
    failure: forgeries.length > 0 ? 'forged' : failureOf({ supervised, outcomes, targets }),
    evidence: said === '' ? null : said.slice(0, EVIDENCE_CHARACTERS),
    suspicions: [...new Set([...outcomes.flatMap((outcome) => outcome.suspicions), ...supervised.flatMap(cutDown)])],
    exitCode: codes.includes(null) ? null : (codes.find((code) => code !== 0) ?? codes[0] ?? null),
    timedOut,
    output: outputOf(supervised),
    durationMs: supervised.reduce((sum, { exec }) => sum + exec.durationMs, 0),
  };
}

function targetsOf(files: readonly string[], outcomes: readonly ProcessOutcome[]): TargetResult[] {
  const found = new Map(outcomes.flatMap(({ targets }) => targets).map((target) => [target.file, target]));
  return files.map((file) => found.get(file) ?? { file, state: 'not-reached', message: null });
}

const ORDER: readonly { state: TargetResult['state']; failure: RunFailure }[] = [
  { state: 'hung', failure: 'hang' },
  { state: 'crashed', failure: 'crash' },
  { state: 'compile-failed', failure: 'compile' },
  { state: 'collect-failed', failure: 'collect' },
  { state: 'not-reached', failure: 'suite-aborted' },
];

function failureOf(parts: {
  supervised: readonly Supervised[];
  outcomes: readonly ProcessOutcome[];
  targets: readonly TargetResult[];
}): RunFailure | null {
  const whole = parts.supervised.every(({ report }) => report.opened && report.ended && report.gap === null);
  if (!whole && parts.supervised.some(({ exec }) => exec.timedOut)) return 'hang';
  const worst = ORDER.find(({ state }) => parts.targets.some((target) => target.state === state));
  if (worst !== undefined && worst.failure !== 'suite-aborted') return worst.failure;
  if (!whole || worst !== undefined) return 'suite-aborted';
  return parts.outcomes.some(({ unexplainedEnd }) => unexplainedEnd) ? 'crash' : null;
}

function evidenceOf({ report, exec }: Supervised): string[] {
  const said: string[] = [];
  // Where reading stopped at a forged line, what follows is not known.
  if (report.forgery !== null) return said;
  if (report.gap !== null) said.push(report.gap);
  if (!report.opened) {
    const words = exec.stderr.toString('utf8').trim().slice(-1000);
    said.push(`the supervisor did not start (code ${exec.exitCode})${words === '' ? '' : `: ${words}`}`);
  } else if (!report.ended) {
    said.push(exec.timedOut ? 'the supervisor ran out of time' : `the supervisor was ended (code ${exec.exitCode})`);
  }
  if (exec.oom === true) said.push('a process was killed because memory ran out');
  return said;
}

/** Nothing but code under test ends the supervisor while there is time and memory left. */
function cutDown({ report, exec }: Supervised): string[] {
  const ended = report.ended || report.forgery !== null || exec.timedOut || exec.oom === true || !report.opened;
  return ended ? [] : [`the supervisor was ended from inside (${exec.signal ?? `code ${exec.exitCode}`})`];
}

/** The same test from two files' or two starts' results: honest runs keep them apart by file and ordinal. */
function repeated(outcomes: readonly ProcessOutcome[]): string | null {
  const seen = new Set<string>();
  for (const { key } of outcomes.flatMap(({ tests }) => tests)) {
    const id = testId(key);
    if (seen.has(id)) return `${id} was reported by two processes`;
    seen.add(id);
  }
  return null;
}

function isBroken(target: TargetResult): boolean {
  return target.state !== 'ran' && target.state !== 'empty';
}

function sayTarget({ file, state, message }: TargetResult): string {
  return `${file}: ${state}${message === null ? '' : ` (${message.split('\n')[0]})`}`;
}

function outputOf(supervised: readonly Supervised[]): Buffer {
  const parts = supervised.flatMap(({ report, exec }) => [
    ...report.processes.map(({ end }: ProcessFacts) => end?.output ?? Buffer.alloc(0)),
    exec.stderr,
  ]);
  return Buffer.concat(parts).subarray(-OUTPUT_BYTES);
}
