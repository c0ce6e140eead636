import { type RunnerName, testId } from '#documents/test-identity.js';
import type { TargetResult, TestResult } from './contract.js';
import type { ProcessEnd, ProcessFacts, ReporterEvent } from './report-facts.js';

/** What one process with tests in it came to. */
export interface ProcessOutcome {
  tests: TestResult[];
  targets: TargetResult[];
  /** Files that the process never came to because it ended in another one: they can be run again without that one. */
  unreached: string[];
  /** Contradictions that no honest run has. */
  forgery: string | null;
  /** The runner ended with a failure that nothing in the report explains. */
  unexplainedEnd: boolean;
  /** Further facts about an end that is not clean. */
  evidence: string[];
  /** Signs of tampering that decide nothing by themselves. */
  suspicions: string[];
}

interface FileState {
  file: string;
  /** The reporter spoke of it. */
  seen: boolean;
  loading: boolean;
  over: boolean;
  failed: { kind: 'compile' | 'collect' | 'crash'; message: string | null } | null;
  troubles: string[];
  tests: Map<string, TestResult>;
  /** Started and not ended, suites included, by JSON of project and path. */
  running: Map<string, { project: string | null; path: string[] }>;
  /** Failing facts that oblige the runner to end with a code other than 0. */
  failing: boolean;
}

type TestEvent = Extract<ReporterEvent, { t: 'test-end' | 'known' }>;

/** Folds what the reporter said and how the process ended into one result per test and one per file. */
export function foldProcess(runner: RunnerName, files: readonly string[], facts: ProcessFacts): ProcessOutcome {
  const states = new Map(files.map((file) => [file, newState(file)]));
  const sole = files.length === 1 ? (files[0] ?? null) : null;
  const outcome: ProcessOutcome = {
    tests: [],
    targets: [],
    unreached: [],
    forgery: null,
    unexplainedEnd: false,
    evidence: [],
    suspicions: suspicionsIn(facts),
  };
  let finished = false;
  let runTrouble = false;
  let last: FileState | null = null;
  for (const event of facts.events) {
    if (event.t === 'reported') finished = true;
    else if (event.t === 'drained') finished = true;
    if (!('file' in event)) continue;
    const file = event.file ?? sole;
    const state = file === null ? undefined : states.get(file);
    if (state === undefined) {
      if (event.t === 'trouble') {
        runTrouble = true;
        outcome.evidence.push(event.message);
      }
      continue;
    }
    outcome.forgery ??= takeEvent(runner, state, event);
    last = state;
  }
  const { end } = facts;
  const exitCalled = facts.events.some(({ t }) => t === 'exit-called');
  finished &&= end !== null && end.killed === null && !exitCalled;
  settle({ runner, states: [...states.values()], last, facts, finished, outcome });
  if (finished && end !== null) checkExit([...states.values()], end, runTrouble, outcome);
  if (facts.garbage > 0) outcome.evidence.push(`${facts.garbage} line(s) of the event channel were not our reporter's`);
  return outcome;
}

const MAX_SUSPICIONS = 20;

/** What only tampering looks like, whatever it came to. */
function suspicionsIn({ events, garbage, end }: ProcessFacts): string[] {
  const said = events.flatMap((event) => (event.t === 'suspicion' ? [event.what] : []));
  const exit = events.some((event) => event.t === 'exit-called');
  const done = events.some((event) => event.t === 'reported' || event.t === 'drained');
  const left = end !== null && end.killed === null && end.exitCode === 0 && !done;
  if (exit) said.push('the code under test ended its process by itself');
  else if (left) said.push('the process ended with code 0 before its tests were done');
  if (garbage > 0) said.push(`${garbage} line(s) of the event channel were not our reporter's`);
  return [...new Set(said)].slice(0, MAX_SUSPICIONS);
}

function newState(file: string): FileState {
  return {
    file,
    seen: false,
    loading: false,
    over: false,
    failed: null,
    troubles: [],
    tests: new Map(),
    running: new Map(),
    failing: false,
  };
}

const FAILING = new Set(['fail', 'error', 'timeout', 'crash']);

/** @returns what is contradictory about this event, if anything */
function takeEvent(runner: RunnerName, state: FileState, event: ReporterEvent): string | null {
  state.seen = true;
  switch (event.t) {
    case 'file-start':
      state.loading = true;
      return null;
    case 'file-loaded':
      state.loading = false;
      return null;
    case 'file-failed':
      state.failed = { kind: event.kind, message: event.message };
      state.failing = true;
      return null;
    case 'file-end':
      state.over = true;
      return null;
    case 'note':
      state.troubles.push(event.message);
      return null;
    case 'trouble':
      state.troubles.push(event.message);
      state.failing = true;
      return null;
    case 'group-end':
      state.running.delete(JSON.stringify([event.project, event.path]));
      if (event.failed) state.failing = true;
      if (event.message !== null) state.troubles.push(`${event.path.join(' > ')}: ${event.message}`);
      return null;
    case 'test-start':
      state.running.set(JSON.stringify([event.project, event.path]), { project: event.project, path: event.path });
      return null;
    case 'known':
      return addTest(runner, state, event);
    case 'test-end':
      state.running.delete(JSON.stringify([event.project, event.path]));
      if (event.failing ?? FAILING.has(event.status)) state.failing = true;
      return addTest(runner, state, event);
    default:
      return null;
  }
}

function addTest(runner: RunnerName, state: FileState, event: TestEvent): string | null {
  const { project, path, ordinal } = event;
  const key = { runner, project, file: state.file, path, ordinal };
  const id = testId(key);
  const before = state.tests.get(id);
  const known = event.t === 'known';
  if (known && before !== undefined) return null;
  if (!known && before !== undefined && before.status !== 'missing') {
    return `${id} was reported twice: ${before.status}, then ${event.status}`;
  }
  state.tests.set(id, {
    key,
    status: known ? 'missing' : event.status,
    raw: event.raw,
    durationMs: known ? null : event.ms,
    message: known ? null : event.message,
  });
  return null;
}

interface Settlement {
  runner: RunnerName;
  states: FileState[];
  last: FileState | null;
  facts: ProcessFacts;
  finished: boolean;
  outcome: ProcessOutcome;
}

function settle({ runner, states, last, facts, finished, outcome }: Settlement): void {
  const blamed = finished ? [] : blame(states, last);
  const hung = facts.end?.killed != null;
  for (const state of states) {
    const isBlamed = blamed.includes(state);
    if (isBlamed || state.failed?.kind === 'crash') addUnfinished(runner, state, isBlamed && hung);
    const target = targetOf(state, { finished, shared: runner !== 'node-test', blamed: isBlamed, hung, facts });
    if (target.state === 'not-reached' && !finished) {
      outcome.unreached.push(state.file);
      continue;
    }
    outcome.targets.push(target);
    outcome.tests.push(...state.tests.values());
  }
}

/** The files in which a process ended that did not finish: where a test runs, else where one loads, else the last heard of. */
function blame(states: FileState[], last: FileState | null): FileState[] {
  const open = states.filter((state) => !state.over && state.failed === null);
  const running = open.filter((state) => state.running.size > 0);
  if (running.length > 0) return running;
  const loading = open.filter((state) => state.loading);
  if (loading.length > 0) return loading;
  if (last !== null && open.includes(last)) return [last];
  return states.length === 1 ? states : [];
}

/** Tests that were running when the process ended get their status from its end. */
function addUnfinished(runner: RunnerName, state: FileState, hung: boolean): void {
  const running = [...state.running.values()];
  const leaves = running.filter(
    (one) => !running.some((other) => other.path.length > one.path.length && startsWith(other.path, one.path)),
  );
  for (const { project, path } of leaves) {
    const status = hung ? 'timeout' : 'crash';
    const message = hung ? 'was still running when its time ran out' : 'was running when its process ended';
    const same = [...state.tests.values()].filter(
      ({ key }) => key.project === project && JSON.stringify(key.path) === JSON.stringify(path),
    );
    const pending = same.find((test) => test.status === 'missing');
    if (pending !== undefined) {
      pending.status = status;
      pending.message = message;
      continue;
    }
    const key = { runner, project, file: state.file, path, ordinal: same.length };
    state.tests.set(testId(key), { key, status, raw: path.join(' > '), durationMs: null, message });
  }
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((title, index) => path[index] === title);
}

const FAILED_STATES = { compile: 'compile-failed', collect: 'collect-failed', crash: 'crashed' } as const;

function targetOf(
  state: FileState,
  end: { finished: boolean; shared: boolean; blamed: boolean; hung: boolean; facts: ProcessFacts },
): TargetResult {
  const { file } = state;
  const message = state.troubles.length === 0 ? null : state.troubles.join('\n').slice(0, 4000);
  if (state.failed !== null) {
    return { file, state: FAILED_STATES[state.failed.kind], message: state.failed.message };
  }
  if (end.blamed) return unfinishedTarget(state, end.hung, end.facts);
  if (!state.over && !end.finished) return { file, state: 'not-reached', message };
  if (!state.seen && end.shared) return { file, state: 'not-reached', message: 'the runner did not take this file' };
  return { file, state: state.tests.size === 0 ? 'empty' : 'ran', message };
}

function unfinishedTarget(state: FileState, hung: boolean, facts: ProcessFacts): TargetResult {
  const { file } = state;
  const words = describeEnd(facts);
  if (hung) return { file, state: 'hung', message: words };
  const uncaught = facts.events.find((event) => event.t === 'uncaught');
  if (uncaught?.t === 'uncaught' && state.tests.size === 0) {
    const compile = uncaught.name === 'SyntaxError' && uncaught.code === 'undefined';
    const message = uncaught.name === 'UsageError' ? `${uncaught.message}; it ${words}` : uncaught.message;
    return { file, state: compile ? 'compile-failed' : 'collect-failed', message };
  }
  return { file, state: 'crashed', message: words };
}

/** How a process ended, in words, with the last of what it printed. */
export function describeEnd({ end, events }: ProcessFacts): string {
  if (end === null) return 'the supervisor ended before this process did';
  const tail = end.output.toString('utf8').trim().slice(-2000);
  const said = tail === '' ? '' : `; last output:\n${tail}`;
  if (end.spawnError !== null) return `could not be started: ${end.spawnError}`;
  if (end.killed === 'deadline') return `was ended because the time for the suite ran out${said}`;
  if (end.killed !== null)
    return `was ended after too long a silence ${end.killed === 'test' ? 'in a test' : 'outside any test'}${said}`;
  const exit = events.find((event) => event.t === 'exit-called');
  const how = end.signal === null ? `code ${end.exitCode}` : `signal ${end.signal}`;
  return `ended with ${how} before its tests were done${exit === undefined ? '' : ' (the code called exit)'}${said}`;
}

/** A runner that is done ends with 0 exactly when nothing failed. */
function checkExit(states: FileState[], end: ProcessEnd, runTrouble: boolean, outcome: ProcessOutcome): void {
  if (states.every((state) => state.tests.size === 0 && state.failed === null)) return;
  const failing = runTrouble || states.some((state) => state.failing);
  if (end.exitCode === 0 && failing) {
    outcome.forgery ??= 'the runner ended with code 0 although tests failed';
  } else if (end.exitCode !== 0 && !failing) {
    const how = end.signal === null ? `code ${end.exitCode}` : `signal ${end.signal}`;
    outcome.evidence.push(`the runner ended with ${how} although no test failed`);
    outcome.unexplainedEnd = true;
  }
}
