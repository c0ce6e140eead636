import type { Repository } from '#git/index.js';
import { isDistinctive, LineCensus } from './line-census.js';
import { LineOrigins } from './line-origins.js';
import { labelPatch } from './patch-role.js';
import type { ReferenceStates } from './rebuild-states.js';
import { listed, type StateAssertion, shorten, show } from './state-assertion.js';
import { changedLines } from './written-lines.js';

/** A line that a stage's commit wrote in history, and that stood nowhere before it. */
interface OwnLine {
  text: string;
  stage: number;
}

/**
 * For every state S_i: is a line left that only stages i and later wrote? Such a line is a leak: later work moved the
 * code where removal did not look. A line that stands in fewer places than after its stage was taken out where the stage
 * had put it; a line that later work wrote anew is somebody else's.
 */
export async function findLeftovers(repository: Repository, reference: ReferenceStates): Promise<StateAssertion[]> {
  const own = await ownLines(repository, reference);
  const census = new LineCensus(repository, new Set(own.map(({ text }) => text)));
  const places: Awaited<ReturnType<typeof census.places>>[] = [];
  for (const state of reference.states) places.push(await census.places(state.files));
  const total = (state: number, text: string): number =>
    [...(places[state]?.get(text)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  const origins = new LineOrigins(repository, reference);
  const assertions: StateAssertion[] = [];
  for (const { index } of reference.stages.stages) {
    const left: string[] = [];
    for (const { text, stage } of own) {
      if (stage < index || total(index, text) === 0 || total(index, text) < total(stage + 1, text)) continue;
      for (const path of places[index]?.get(text)?.keys() ?? [])
        if (left.length < MANY && !(await origins.isIndependent(path, text, index)))
          left.push(`${show(path)} still has, of stage ${stage}: ${shorten(text)}`);
    }
    const asked = own.filter(({ stage }) => stage >= index).length;
    assertions.push({
      name: 'no-line-of-later-stages',
      state: index,
      holds: left.length === 0,
      evidence: left.length === 0 ? `none of ${asked} line(s)` : listed(left),
    });
  }
  return assertions;
}

/** A state with so many leftovers is wrong; no need to trace more of them. */
const MANY = 50;

async function ownLines(repository: Repository, { stages }: ReferenceStates): Promise<OwnLine[]> {
  const written = new Map<string, OwnLine>();
  for (const { index, commits } of stages.stages) {
    for (const commit of commits) {
      for (const change of commit.changes) {
        if (labelPatch(change).treatment === 'keep') continue;
        for (const line of (await changedLines(repository, change.before, change.after)).added) {
          const text = line.trim();
          if (isDistinctive(text) && !written.has(text)) written.set(text, { text, stage: index });
        }
      }
    }
  }
  // What stood somewhere before the stage is not its own.
  const census = new LineCensus(repository, new Set(written.keys()));
  const standing = new Map<number, ReadonlySet<string>>();
  for (const { index, commits } of stages.stages) {
    const [first] = commits;
    const files = first === undefined ? new Map() : await repository.files(first.parentTree);
    standing.set(index, new Set((await census.places(files)).keys()));
  }
  return [...written.values()].filter(({ text, stage }) => !standing.get(stage)?.has(text));
}
