import { taskLayout } from '#documents/layout.js';
import type { Verdict } from '#documents/verdict.js';
import type { SuitePlace, TaskPackage } from '#store/index.js';
import type { Finding } from './finding.js';
import { packagePath } from './inspect-suites.js';

/** A grading that admission asks for, by what was graded. */
export interface AdmissionCase {
  place: SuitePlace;
  kind: 'oracle' | 'own-tests' | 'no-op' | 'chain-no-op';
  /** Of the oracle: which of the repeats. */
  repeat: number;
}

/** Compares a verdict with what it must be. */
export function judgeGrading(task: TaskPackage, one: AdmissionCase, verdict: Verdict): Finding[] {
  const file = packagePath(task, taskLayout(task.folder).suite(one.place));
  const refuse = (code: string, message: string, hint: string): Finding => ({
    ...{ code, severity: 'refusal', file, field: 'tests' },
    message,
    hint,
  });
  if (!verdict.valid)
    return [
      refuse(
        'gate-invalid',
        `the reference cannot be graded: ${verdict.control?.why ?? verdict.failure ?? 'unknown'}`,
        'Make the environment and the suite work offline in this sandbox first.',
      ),
    ];
  if (one.kind === 'oracle' || one.kind === 'own-tests') return mustPass(task, one, verdict, refuse);
  return mustFail(task, one, verdict, refuse);
}

type Refuse = (code: string, message: string, hint: string) => Finding;

function mustPass(task: TaskPackage, one: AdmissionCase, verdict: Verdict, refuse: Refuse): Finding[] {
  const who = one.kind === 'oracle' ? `the oracle (repeat ${one.repeat + 1})` : 'the reference beside tests of its own';
  const findings: Finding[] = [];
  const passing = verdict.twins.filter((twin) => twin.status !== 'fail');
  for (const twin of passing) {
    findings.push({
      ...refuse(
        'twin-does-not-fail',
        `${who}: twin ${twin.id} must fail on the reference and comes out as ${twin.status}`,
        'Remove the twin from the suite, or give it an expectation that is wrong.',
      ),
      field: `twins.${task.suite(one.place).twins.findIndex((held) => held.id === twin.id)}`,
    });
  }
  const failing = verdict.tests.filter((test) => test.status !== 'pass');
  for (const test of failing.slice(0, 5))
    findings.push(
      refuse(
        one.kind === 'oracle' ? 'oracle-fails' : 'own-tests-disturb',
        `${who}: ${test.id} comes out as ${test.status} (${test.attempts.join(', ')})`,
        'Quarantine the test, or mend the environment.',
      ),
    );
  const broken = verdict.f2p !== true || verdict.p2p !== true || verdict.gradings.length > 1;
  if (broken && findings.length === 0)
    findings.push(
      refuse(
        one.kind === 'oracle' ? 'oracle-fails' : 'own-tests-disturb',
        `${who}: f2p ${verdict.f2p}, p2p ${verdict.p2p}, ${verdict.failure ?? `wavering: ${verdict.flips.join(', ')}`}`,
        'Run `featurearc check` again with --debug for the output of the suite.',
      ),
    );
  return findings;
}

function mustFail(task: TaskPackage, one: AdmissionCase, verdict: Verdict, refuse: Refuse): Finding[] {
  const start = one.kind === 'chain-no-op' || one.place === 'chain' ? 'S_0' : `S_${one.place}`;
  const since = new Map(task.suite(one.place).tests.map((test) => [test.id, test.since]));
  const findings: Finding[] = [];
  if (verdict.f2p !== false)
    findings.push(
      refuse(
        'no-op-passes',
        `doing nothing from ${start} passes F2P`,
        'The stage’s tests do not ask for its behaviour; drop the stage or its tests.',
      ),
    );
  // From S_k every single F2P test must fail; through the chain the suite as a whole.
  if (one.kind === 'no-op') {
    for (const test of verdict.tests.filter(({ kind, status }) => kind === 'f2p' && status === 'pass'))
      findings.push(
        refuse('f2p-passes-before', `${test.id} passes on ${start} already`, 'It is no F2P test; build the task anew.'),
      );
  }
  const due = verdict.tests.filter(
    (test) => test.kind === 'p2p' && (one.kind === 'no-op' || since.get(test.id) === 'base'),
  );
  for (const test of due.filter(({ status }) => status !== 'pass').slice(0, 5))
    findings.push(
      refuse(
        'no-op-breaks-p2p',
        `doing nothing from ${start}: ${test.id} comes out as ${test.status} (${test.attempts.join(', ')})`,
        'It does not pass before the stage, or wavers: quarantine it, or build the task anew.',
      ),
    );
  return findings;
}
