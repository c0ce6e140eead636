import { canonicalJson, digestOf, digestOfJson } from '#kernel/ids.js';
import type { Environment } from './environment.js';
import type { Suite } from './suite.js';
import type { Task } from './task.js';

/** One file of a suite's `tests/` or `manifests/` folder. */
export interface SuiteFileFacts {
  /** Path key below that folder. */
  path: string;
  executable: boolean;
  /** `digestOf` the file's bytes. */
  digest: string;
}

/**
 * suite.json's `gateDigest` (what stands there does not matter): everything that decides a verdict of this suite, and nothing else. Durations, evidence of
 * quarantine and unknown keys are left out, the order of tests, twins and files does not matter.
 */
export function suiteDigestOf(
  suite: Suite,
  files: { tests: readonly SuiteFileFacts[]; manifests: readonly SuiteFileFacts[] },
): string {
  return digestOfJson({
    stage: suite.stage,
    runs: suite.runs.map(({ id, runner, cwd, project, files: targets, timeoutMs, perTestTimeoutMs }) => ({
      ...{ id, runner, cwd, project, files: targets, timeoutMs, perTestTimeoutMs },
    })),
    tests: sorted(
      suite.tests.map(({ id, key, run, kind, why, since, validThrough }) => ({
        ...{ id, key, run, kind, why, since, validThrough },
      })),
    ),
    twins: sorted(
      suite.twins.map(({ id, file, of, insertAt, text, nameStart, nameEnd, naming, path }) => ({
        ...{ id, file, of, insertAt, text, nameStart, nameEnd, naming, path },
      })),
    ),
    overlay: sorted(suite.overlay),
    manifests: sorted(suite.manifests.map(({ path, format, fields }) => ({ path, format, fields }))),
    setAside: sorted(suite.setAside),
    files: { tests: fileRows(files.tests), manifests: fileRows(files.manifests) },
  });
}

/** task.json's `gateDigest`: all suites, and the reference states that controls and resets are taken from. */
export function gateDigestOf(parts: {
  /** `suiteDigestOf` each stage's suite in order, the chain's last. */
  suites: readonly string[];
  /** Commit ids of refs/states/0..n in states.bundle. */
  states: readonly string[];
}): string {
  return digestOfJson({ suites: parts.suites, states: parts.states });
}

/** task.json's `publicDigest`: everything that an agent can see or that limits it. */
export function publicDigestOf(parts: {
  task: Pick<Task, 'id' | 'language' | 'runner' | 'budgets' | 'protectedPaths'>;
  /** Id of the one commit in workspace.bundle. */
  initialCommit: string;
  /** The specs' texts, stage by stage. */
  specs: readonly { requirement: string; contract: string }[];
  environment: Environment;
}): string {
  const { id, language, runner, budgets, protectedPaths } = parts.task;
  const { digest, mounts, scratch, owned, env, path, prepare } = parts.environment;
  return digestOfJson({
    task: { id, language, runner, stageMs: budgets.stageMs, protectedPaths: sorted(protectedPaths) },
    initialCommit: parts.initialCommit,
    specs: parts.specs.map(({ requirement, contract }) => ({
      requirement: digestOf(requirement),
      contract: digestOf(contract),
    })),
    environment: { digest, mounts, scratch, owned, env, path, prepare },
  });
}

function fileRows(files: readonly SuiteFileFacts[]): unknown[] {
  return sorted(files.map(({ path, executable, digest }) => ({ path, executable, digest })));
}

function sorted<T>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, text: canonicalJson(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ row }) => row);
}
