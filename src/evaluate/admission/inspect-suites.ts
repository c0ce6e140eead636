import { relative } from 'node:path';
import { taskLayout } from '#documents/layout.js';
import type { SuitePlace, TaskPackage } from '#store/index.js';
import type { Finding } from './finding.js';

/** What suites and criteria must say without being run: tests of both kinds, criteria for all, twins where possible. */
export function inspectSuites(task: TaskPackage): Finding[] {
  const stages = [...task.task.stages.keys()];
  const places: SuitePlace[] = [...stages, 'chain'];
  return [
    ...places.flatMap((place) => suiteFindings(task, place)),
    ...stages.flatMap((stage) => criteriaFindings(task, stage)),
  ];
}

function suiteFindings(task: TaskPackage, place: SuitePlace): Finding[] {
  const suite = task.suite(place);
  const file = packagePath(task, taskLayout(task.folder).suite(place));
  const findings: Finding[] = [];
  if (!suite.tests.some((test) => test.kind === 'f2p'))
    findings.push({
      ...{ code: 'suite-without-f2p', severity: 'refusal', file, field: 'tests' },
      message: 'no test fails before and passes after: nothing asks for the feature',
      hint: 'Give the stage other commits, or drop it.',
    });
  const unguarded = [...new Set(suite.runs.flatMap((run) => run.files))].filter(
    (path) => !suite.twins.some((twin) => twin.file === path),
  );
  const guarded = suite.twins.length > 0;
  if (unguarded.length > 0)
    findings.push({
      ...{ code: guarded ? 'file-without-twin' : 'suite-without-twin', severity: 'note', file, field: 'twins' },
      message: guarded
        ? `${unguarded.length} test files have no twin, e.g. ${unguarded[0]}`
        : 'no test file has a twin: a forged verdict of this suite would not be noticed by one',
      hint: 'Twins are made from tests with a literal or bare expectation; parametrised tests have none.',
    });
  return findings;
}

function criteriaFindings(task: TaskPackage, stage: number): Finding[] {
  const file = packagePath(task, taskLayout(task.folder).criteria(stage));
  const { criteria } = task.criteria(stage);
  const findings: Finding[] = [];
  const f2p = new Set(
    task
      .suite(stage)
      .tests.filter((test) => test.kind === 'f2p')
      .map((test) => test.id),
  );
  const owners = new Map<string, number[]>();
  for (const [index, criterion] of criteria.entries()) {
    for (const id of criterion.tests) {
      owners.set(id, [...(owners.get(id) ?? []), criterion.number]);
      if (f2p.has(id)) continue;
      findings.push({
        ...{ code: 'criterion-of-no-test', severity: 'refusal', file, field: `criteria.${index}.tests` },
        message: `${id} is no F2P test of this stage`,
        hint: 'Name tests of private/stages/k/suite.json with kind f2p.',
      });
    }
  }
  for (const id of f2p) {
    const count = owners.get(id)?.length ?? 0;
    if (count === 1) continue;
    findings.push({
      ...{ code: 'test-without-criterion', severity: 'refusal', file, field: 'criteria' },
      message: count === 0 ? `${id} belongs to no criterion` : `${id} belongs to ${count} criteria`,
      hint: 'Every F2P test checks exactly one acceptance criterion; add it to one.',
    });
  }
  const requirement = task.requirement(stage);
  for (const [index, criterion] of criteria.entries()) {
    if (new RegExp(`^\\s*${criterion.number}[.)]\\s`, 'm').test(requirement)) continue;
    findings.push({
      ...{ code: 'criterion-not-in-requirement', severity: 'refusal', file, field: `criteria.${index}.number` },
      message: `criterion ${criterion.number} is not numbered in stages/${stage}/requirement.md`,
      hint: 'Write the criterion into the requirement under its number, or remove it.',
    });
  }
  return findings;
}

/** A path of the package as the reader knows it. */
export function packagePath(task: TaskPackage, path: string): string {
  return relative(task.folder, path);
}
