import { join } from 'node:path';
import type { Verdict } from '#documents/verdict.js';
import { createRepository, type Repository } from '#git/index.js';
import { mapLimited } from '#kernel/async.js';
import type { Clock } from '#kernel/clock.js';
import type { Progress } from '#kernel/events.js';
import { certain } from '#kernel/faults.js';
import type { Limits, SandboxKind } from '#sandbox/index.js';
import { type SuitePlace, type TaskPackage, withTemporaryFolder } from '#store/index.js';
import {
  type AdmissionCase,
  type CheckReport,
  type Finding,
  findAgentSettings,
  inspectSuites,
  judgeGrading,
  ownTestFor,
  reportOf,
} from './admission/index.js';
import { gradeSnapshot } from './gate/index.js';

export interface CheckRequest {
  /** How often the oracle must pass every gate. */
  repeats: number;
  sandbox: { kind: SandboxKind; limits: Limits };
  /** The environment's content on the host; null for the empty one. */
  environmentFolder: string | null;
  /** Gradings at once. */
  concurrency: number;
  /** What specs fail to tell and what they give away: the act that writes specs knows how to read them. */
  scanSpecs: (task: TaskPackage, repository: Repository) => Promise<Finding[]>;
  clock: Clock;
  label: string;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

/**
 * Admits a task or says why not: reads what can be read, then grades reference, no-op and the agent's own tests in
 * earnest. Reads no cache.
 * @throws Fault (environment) where no sandbox can be had
 */
export async function checkTask(task: TaskPackage, request: CheckRequest, progress: Progress): Promise<CheckReport> {
  return withTemporaryFolder('check', async (folder) => {
    const repository = await createRepository(join(folder, 'check.git'));
    try {
      for (const bundle of [task.bundle, task.statesBundle])
        await repository.git({ args: ['bundle', 'unbundle', bundle] });
      const findings = [
        ...inspectSuites(task),
        ...(await inspectStates(task, repository)),
        ...(await request.scanSpecs(task, repository)),
      ];
      const cases = admissionCases(task, request.repeats);
      const step = `check ${task.task.id}`;
      progress({ kind: 'step-started', step, total: cases.length, unit: 'gradings' });
      let done = 0;
      const judged = await mapLimited(cases, request.concurrency, async (one) => {
        const verdict = await gradeCase({ task, request, repository }, one);
        done += 1;
        progress({ kind: 'step-advanced', step, done, total: cases.length, note: `${one.kind} at ${one.place}` });
        return judgeGrading(task, one, verdict);
      });
      progress({ kind: 'step-ended', step, note: null });
      return reportOf([...findings, ...judged.flat()]);
    } finally {
      await repository.close();
    }
  });
}

async function inspectStates(task: TaskPackage, repository: Repository): Promise<Finding[]> {
  const initial = await repository.commit(task.initialCommit);
  const first = await repository.commit(certain(task.states[0], 'the first state'));
  const findings = await findAgentSettings(repository, await repository.files(initial.tree));
  if (initial.tree !== first.tree || initial.parents.length > 0)
    findings.push({
      ...{ code: 'workspace-is-not-s0', severity: 'refusal', file: 'workspace.bundle', field: null },
      message: initial.parents.length > 0 ? 'its commit has a parent' : 'its tree is not that of refs/states/0',
      hint: 'Build the task anew: agents must start from S_0, as one commit without history.',
    });
  return findings;
}

function admissionCases(task: TaskPackage, repeats: number): AdmissionCase[] {
  const stages = [...task.task.stages.keys()];
  const places: SuitePlace[] = [...stages, 'chain'];
  return [
    ...places.flatMap((place) =>
      Array.from({ length: repeats }, (_, repeat) => ({ place, kind: 'oracle' as const, repeat })),
    ),
    ...places.map((place) => ({ place, kind: 'own-tests' as const, repeat: 0 })),
    ...stages.map((place) => ({ place, kind: 'no-op' as const, repeat: 0 })),
    // From S_0, the first stage's no-op is the same as the chain's.
    ...places.slice(1).map((place) => ({ place, kind: 'chain-no-op' as const, repeat: 0 })),
  ];
}

interface Checking {
  task: TaskPackage;
  request: CheckRequest;
  repository: Repository;
}

async function gradeCase(checking: Checking, one: AdmissionCase): Promise<Verdict> {
  const { task, request, repository } = checking;
  const after = one.place === 'chain' ? task.states.length - 1 : one.place + 1;
  const state = { oracle: after, 'own-tests': after, 'no-op': after - 1, 'chain-no-op': 0 }[one.kind];
  const snapshotTree = await snapshotOf(checking, certain(task.states[state], 'a state'), one);
  const mustPass = one.kind === 'oracle' || one.kind === 'own-tests';
  const grade = (gradings: 1 | 3) =>
    gradeSnapshot({
      ...{
        package: task,
        stage: one.place,
        repository,
        snapshotTree,
        agent: `check-${one.kind}`,
        attempt: 0,
        round: 0,
      },
      ...{ sandbox: request.sandbox, environmentFolder: request.environmentFolder, cacheFolder: null },
      ...{ seed: `check/${one.kind}/${one.repeat}`, derivedFrom: null, clock: request.clock, label: request.label },
      signal: request.signal,
      ...{ twins: mustPass ? ('all' as const) : true, gradings },
    });
  if (mustPass) return (await grade(3)).verdict;
  // What is expected to fail need not fail three times; what surprises gets the full treatment.
  const once = (await grade(1)).verdict;
  return judgeGrading(task, one, once).length === 0 ? once : (await grade(3)).verdict;
}

async function snapshotOf({ task, repository }: Checking, state: string, one: AdmissionCase): Promise<string> {
  const files = new Map(await repository.files(state));
  if (one.kind === 'own-tests') {
    const own = ownTestFor(task.suite(one.place));
    files.set(own.path, { mode: '100644', oid: await repository.writeBlob(Buffer.from(own.text)) });
  }
  return repository.writeTree(files);
}
