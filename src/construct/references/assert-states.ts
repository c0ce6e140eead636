import { diffTrees, type Repository, type TreeFiles } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { analyseSource, classifyPath } from '#languages/index.js';
import { findLeftovers } from './find-leftovers.js';
import { isDistinctive } from './line-census.js';
import { labelPatch } from './patch-role.js';
import type { ReferenceStates } from './rebuild-states.js';
import type { Stage } from './stages.js';
import { listed, type StateAssertion, shorten, show } from './state-assertion.js';
import { changedLines } from './written-lines.js';

/** Everything that makes states right and can be told without running a test. */
export async function assertStates(repository: Repository, reference: ReferenceStates): Promise<StateAssertion[]> {
  const assertions: StateAssertion[] = [await lastIsCheckpoint(repository, reference)];
  for (const stage of reference.stages.stages) {
    assertions.push(pathsOfStage(reference, stage.index), ...changesBoth(reference, stage.index));
    assertions.push(await linesOfStage(repository, reference, stage));
    assertions.push(await parsesNoWorse(repository, reference, stage));
  }
  assertions.push(...(await findLeftovers(repository, reference)));
  return assertions;
}

/** @throws Fault `state-wrong` (input) for the first assertion that does not hold */
export function requireRightStates(assertions: readonly StateAssertion[]): void {
  const wrong = assertions.filter((assertion) => !assertion.holds);
  const [first] = wrong;
  if (first === undefined) return;
  throw new Fault({
    code: 'state-wrong',
    kind: 'input',
    message: `${first.state === null ? 'the states are' : `state S_${first.state} is`} not right (${first.name}): ${first.evidence}${wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : ''}`,
    hint: 'Choose an earlier --checkpoint, or add the later commits that carry the feature on to a stage.',
    context: { assertions: wrong.slice(0, 20) },
  });
}

async function lastIsCheckpoint(
  repository: Repository,
  { stages, states, removedNotes }: ReferenceStates,
): Promise<StateAssertion> {
  const checkpoint = await repository.files(stages.checkpoint.tree);
  const last = states.at(-1)?.files ?? new Map();
  const others = diffTrees(checkpoint, last).filter(({ path }) => !removedNotes.includes(path));
  const notes = removedNotes.length === 0 ? '' : ` but for ${removedNotes.length} note(s) of agents`;
  return {
    name: 'last-state-is-the-checkpoint',
    state: states.length - 1,
    holds: others.length === 0,
    evidence: others.length === 0 ? `equal${notes}` : listed(others.map(({ path }) => show(path))),
  };
}

function pathsOfStage({ states, touched }: ReferenceStates, stage: number): StateAssertion {
  const changed = changesOf(states, stage).map(({ path }) => path);
  const strange = changed.filter((path) => !touched[stage]?.has(path));
  return {
    name: 'paths-are-the-stage’s',
    state: stage,
    holds: strange.length === 0,
    evidence:
      strange.length === 0
        ? `${changed.length} path(s)`
        : `not touched by the stage’s commits: ${listed(strange.map(show))}`,
  };
}

/** A stage that later work undid again leaves nothing to ask for or nothing to grade. */
function changesBoth({ states }: ReferenceStates, stage: number): StateAssertion[] {
  const roles = changesOf(states, stage).map(
    ({ path, before, after }) =>
      labelPatch({ before: before && { path, ...before }, after: after && { path, ...after } }).role,
  );
  const counted = (role: string): number => roles.filter((one) => one === role).length;
  return [
    {
      name: 'stage-changes-source',
      state: stage,
      holds: counted('feature') > 0,
      evidence: `${counted('feature')} file(s)`,
    },
    { name: 'stage-changes-tests', state: stage, holds: counted('tests') > 0, evidence: `${counted('tests')} file(s)` },
  ];
}

async function linesOfStage(repository: Repository, reference: ReferenceStates, stage: Stage): Promise<StateAssertion> {
  const written = new Set<string>();
  for (const commit of stage.commits)
    for (const change of commit.changes)
      for (const line of (await changedLines(repository, change.before, change.after)).added) written.add(line.trim());
  const explained = new Set([...(reference.explained[stage.index]?.keys() ?? [])].map((line) => line.trim()));
  const before = reference.states[stage.index]?.files ?? new Map();
  const strange: string[] = [];
  let later = 0;
  for (const change of changesOf(reference.states, stage.index)) {
    for (const line of (await changedLines(repository, change.before, change.after)).added) {
      const text = line.trim();
      if (!isDistinctive(text) || written.has(text)) continue;
      if (explained.has(text)) later += 1;
      else if (!(await standsIn(repository, before, change.path, text)))
        strange.push(`${show(change.path)}: ${shorten(text)}`);
    }
  }
  return {
    name: 'added-lines-are-explained',
    state: stage.index,
    holds: strange.length === 0,
    evidence:
      strange.length === 0
        ? `all but ${later} by the stage’s commits, ${later} by explained later edits`
        : listed(strange),
  };
}

/** A line that only moved within its file counts as there. */
async function standsIn(repository: Repository, files: TreeFiles, path: string, text: string): Promise<boolean> {
  const file = files.get(path);
  if (file === undefined) return false;
  const content = await repository.readBlob(file.oid);
  return content
    .toString('latin1')
    .split('\n')
    .some((line) => line.trim() === text);
}

async function parsesNoWorse(
  repository: Repository,
  reference: ReferenceStates,
  stage: Stage,
): Promise<StateAssertion> {
  const worse: string[] = [];
  let parsed = 0;
  const errors = async (path: string, oid: string): Promise<number | null> => {
    const facts = await analyseSource(path, await repository.readBlob(oid));
    return facts === null || 'unparsed' in facts ? null : facts.parseErrors;
  };
  for (const { path, before, after } of changesOf(reference.states, stage.index)) {
    if (before === null || after === null || !['source', 'test'].includes(classifyPath(path))) continue;
    const [earlier, later] = [await errors(path, before.oid), await errors(path, after.oid)];
    if (earlier === null || later === null) continue;
    parsed += 1;
    if (earlier <= later) continue;
    const inHistory = await Promise.all(
      stage.commits
        .flatMap((commit) => commit.changes)
        .flatMap((change) =>
          change.before !== null && [change.before.path, change.after?.path].includes(path) ? [change.before] : [],
        )
        .map((file) => errors(file.path, file.oid)),
    );
    if (inHistory.every((count) => count === null || count < earlier))
      worse.push(`${show(path)}: ${earlier} error(s), ${later} after the stage`);
  }
  return {
    name: 'parses-no-worse',
    state: stage.index,
    holds: worse.length === 0,
    evidence: worse.length === 0 ? `${parsed} changed file(s) parsed` : listed(worse),
  };
}

function changesOf(states: ReferenceStates['states'], stage: number) {
  return diffTrees(states[stage]?.files ?? new Map(), states[stage + 1]?.files ?? new Map());
}
