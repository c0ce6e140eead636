import type { Repository, TreeFiles } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import { isAgentNote } from './agent-notes.js';
import { FileLocator, type PathHistory, readPathHistory } from './locate-files.js';
import { type RemovalConflict, type RemovalRow, type RemovalState, removePatch } from './remove-patch.js';
import { prose, versionNumbers } from './resolve-behaviour-free.js';
import { lineageResolver } from './resolve-lineage.js';
import { neighbours, threeWay } from './resolve-three-way.js';
import { words } from './resolve-words.js';
import type { Resolver } from './resolver.js';
import { chainCommits, nameCommit, type Stages } from './stages.js';

/** A reference state: the code before stage k (S_k), or after the last one (S_n). */
export interface ReferenceState {
  tree: string;
  files: TreeFiles;
}

export interface ReferenceStates {
  stages: Stages;
  /** S_0..S_n. */
  states: ReferenceState[];
  rows: RemovalRow[];
  /** Per stage: paths that may differ between S_k and S_(k+1). */
  touched: ReadonlySet<string>[];
  /** Per stage: lines of later work that go with it, with the reason. */
  explained: ReadonlyMap<string, string>[];
  layers: { layer: string; asked: number; solved: number }[];
  /** Notes of agents that no state has (path keys). */
  removedNotes: string[];
  /** Checkpoint path -> path in the first state, for files that removal has renamed back. */
  moved: ReadonlyMap<string, string>;
  /** File patches along the chain's path through history, read when first asked for; null where there is no such path. */
  history(): Promise<PathHistory | null>;
}

export type RebuildOutcome =
  | { kind: 'rebuilt'; states: ReferenceStates }
  | { kind: 'conflicts'; conflicts: RemovalConflict[]; layers: ReferenceStates['layers'] };

/**
 * Takes the chain's patches out of the checkpoint, last stage first, and writes every state as a tree into the
 * repository's own object store. Conflicts are collected, not thrown: a search over checkpoints and layers reads them.
 */
export async function attemptStates(repository: Repository, stages: Stages): Promise<RebuildOutcome> {
  const files = await repository.files(stages.checkpoint.tree);
  const removedNotes = [...files.keys()].filter(isAgentNote).sort();
  const current: TreeFiles = new Map(files);
  for (const path of removedNotes) current.delete(path);
  const tools = prepareTools(repository, stages, files);
  const state: RemovalState = {
    files: current,
    moved: new Map(),
    touched: stages.stages.map(() => new Set()),
    explained: stages.stages.map(() => new Map()),
    rows: [],
    conflicts: [],
    layers: new Map(tools.layers.map(({ layer }) => [layer, { asked: 0, solved: 0 }])),
  };
  const lastTree = removedNotes.length === 0 ? stages.checkpoint.tree : await repository.writeTree(current);
  const states: ReferenceState[] = [{ tree: lastTree, files: new Map(current) }];
  let stageAt = stages.stages.length - 1;
  const closeStagesDownTo = async (stage: number): Promise<void> => {
    for (; stageAt > stage; stageAt -= 1)
      states.unshift({ tree: await repository.writeTree(state.files), files: new Map(state.files) });
  };
  const chain = chainCommits(stages.stages);
  for (let position = chain.length - 1; position >= 0; position -= 1) {
    const { commit, stage } = chain[position] as (typeof chain)[number];
    await closeStagesDownTo(stage);
    for (const change of commit.changes) await removePatch(tools, state, { change, commit, stage, position });
  }
  await closeStagesDownTo(-1);
  const layers = [...state.layers].map(([layer, counts]) => ({ layer, ...counts }));
  if (state.conflicts.length > 0) return { kind: 'conflicts', conflicts: state.conflicts, layers };
  const { rows, touched, explained, moved } = state;
  const { history } = tools;
  return {
    kind: 'rebuilt',
    states: { stages, states, rows, touched, explained, layers, removedNotes, moved, history },
  };
}

/** As `attemptStates`. @throws Fault `removal-conflict` (input) naming stage, file, commit and hunk */
export async function rebuildStates(repository: Repository, stages: Stages): Promise<ReferenceStates> {
  const outcome = await attemptStates(repository, stages);
  if (outcome.kind === 'conflicts') throw conflictFault(outcome.conflicts);
  return outcome.states;
}

function prepareTools(repository: Repository, stages: Stages, files: TreeFiles) {
  let history: Promise<PathHistory | null> | null = null;
  const readHistory = (): Promise<PathHistory | null> => {
    history ??= stages.path === null ? Promise.resolve(null) : readPathHistory(repository, stages.path);
    return history;
  };
  const locator = new FileLocator(repository, { tree: stages.checkpoint.tree, files }, readHistory);
  const lineage = { repository, stages: stages.stages, history: readHistory };
  const layers: Resolver[] = [
    ...[threeWay, neighbours, versionNumbers, words],
    ...[lineageResolver(lineage, false), lineageResolver(lineage, true), prose],
  ];
  return { repository, locator, layers, history: readHistory };
}

function conflictFault(conflicts: readonly RemovalConflict[]): Fault {
  const [first] = conflicts;
  const show = (path: string): string => showPath(pathBytes(path));
  const others = conflicts.length - 1;
  const what =
    first === undefined
      ? ''
      : `${nameCommit(first.stage, first.commit)}: ${show(first.path)}: ${first.why}${first.hunk === null ? '' : `\n${first.hunk}`}`;
  return new Fault({
    code: 'removal-conflict',
    kind: 'input',
    message: `cannot take the stage out of the checkpoint: ${what}${others > 0 ? `\n(and ${others} more file patch(es), see --json)` : ''}`,
    hint: 'Choose an earlier --checkpoint (by default the last stage’s last commit), leave the commit out, or add the overlapping later commit to a stage.',
    context: {
      conflicts: conflicts.slice(0, 50).map(({ stage, commit, path, why, hunk }) => ({
        ...{ stage, commit: commit.oid, path: show(path), why, hunk },
      })),
    },
  });
}
