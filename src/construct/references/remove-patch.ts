import type { Repository, TreeFile, TreeFiles } from '#git/index.js';
import type { FileLocator } from './locate-files.js';
import { labelPatch, type PatchRole, type PatchVerdict } from './patch-role.js';
import type { Resolution, Resolver } from './resolver.js';
import { type PathChange, type PathEntry, pathOf, type StageCommit } from './stages.js';

/** How one file patch was taken out of the states before its stage: a row of provenance.json. */
export interface RemovalRow {
  stage: number;
  commit: string;
  path: string;
  role: PatchRole;
  layer: string;
  why: string;
}

/** A file patch that no layer could take out. */
export interface RemovalConflict {
  stage: number;
  commit: StageCommit;
  path: string;
  why: string;
  /** The part that is in the way, shortened, for people. */
  hunk: string | null;
}

/** The state under removal and what has been learnt on the way to it. */
export interface RemovalState {
  /** Changed in place. */
  files: TreeFiles;
  /** Checkpoint path -> path in `files`, for files that removal has renamed back. */
  moved: Map<string, string>;
  /** Per stage: paths that its removal may change. */
  touched: Set<string>[];
  /** Per stage: lines of later work that go or change with it, with the layer's reason. */
  explained: Map<string, string>[];
  rows: RemovalRow[];
  conflicts: RemovalConflict[];
  /** Per layer: how many file patches it was asked about and how many it solved. */
  layers: Map<string, { asked: number; solved: number }>;
}

export interface RemovalTools {
  repository: Repository;
  locator: FileLocator;
  layers: readonly Resolver[];
}

export interface PatchToRemove {
  change: PathChange;
  commit: StageCommit;
  stage: number;
  /** Position of the commit among all of the chain. */
  position: number;
}

/** Takes one file patch out of the state; what cannot be decided is recorded as a conflict and left as it is. */
export async function removePatch(tools: RemovalTools, state: RemovalState, patch: PatchToRemove): Promise<void> {
  const { change, commit, stage } = patch;
  const verdict = labelPatch(change);
  const note = (layer: string, why: string): void => {
    state.rows.push({ stage, commit: commit.oid, path: pathOf(change), role: verdict.role, layer, why });
  };
  if (verdict.treatment === 'keep') {
    note('kept', verdict.why);
    return;
  }
  const place = await findPlace(tools, state, patch);
  if (place.now === null && change.after !== null) {
    note('gone', 'later work deleted the file');
    return;
  }
  const result = await decide(tools, state, { ...patch, ...place, verdict });
  const target = targetPath(change, place.now ?? pathOf(change));
  const blocked = result.kind === 'bytes' || result.kind === 'entry' ? obstacle(state.files, place.now, target) : null;
  if (result.kind === 'undecided' || blocked !== null) {
    const [why, hunk] = result.kind === 'undecided' ? [result.why, result.hunk] : [blocked ?? '', null];
    state.conflicts.push({ stage, commit, path: pathOf(change), why, hunk });
    return;
  }
  const touched = state.touched[stage] ?? new Set();
  for (const path of [place.now, target, change.before?.path, change.after?.path])
    if (path !== null && path !== undefined) touched.add(path);
  for (const line of result.explained) state.explained[stage]?.set(line, `${result.layer}: ${result.why}`);
  await apply(tools.repository, state, { change, now: place.now, target }, result);
  note(result.layer, result.why);
}

interface Place {
  /** Path of the file in the state at hand; null where it is not there. */
  now: string | null;
  checkpointPath: string | null;
}

async function findPlace(tools: RemovalTools, state: RemovalState, { change, commit }: PatchToRemove): Promise<Place> {
  const { before, after } = change;
  if (after === null) {
    const path = before?.path ?? '';
    return { now: state.files.has(path) ? path : null, checkpointPath: path };
  }
  const checkpointPath = await tools.locator.atCheckpoint(commit, after.path);
  if (state.files.has(after.path)) return { now: after.path, checkpointPath };
  const now = checkpointPath === null ? null : (state.moved.get(checkpointPath) ?? checkpointPath);
  return { now: now !== null && state.files.has(now) ? now : null, checkpointPath };
}

type Decision = (Resolution | { kind: 'entry'; entry: TreeFile; why: string; explained: readonly string[] }) & {
  layer: string;
};

async function decide(
  tools: RemovalTools,
  state: RemovalState,
  patch: PatchToRemove & Place & { verdict: PatchVerdict },
): Promise<Decision> {
  const { before, after } = patch.change;
  const ours = patch.now === null ? null : (state.files.get(patch.now) ?? null);
  if (sameEntry(ours, after)) return decideUntouched(state, before);
  if ([before, after, ours].some(isOpaque)) {
    return { kind: 'undecided', layer: 'three-way', why: 'a link or submodule that later work changed', hunk: null };
  }
  const read = async (file: TreeFile | null): Promise<Buffer | null> =>
    file === null ? null : tools.repository.readBlob(file.oid);
  const overlap = {
    path: patch.now ?? pathOf(patch.change),
    base: await read(after),
    ours: await read(ours),
    theirs: await read(before),
    stage: patch.stage,
    context: {
      commit: patch.commit,
      position: patch.position,
      patchPath: pathOf(patch.change),
      treatment: patch.verdict.treatment,
      checkpointPath: patch.checkpointPath,
    },
  };
  let last: Decision = { kind: 'undecided', layer: 'none', why: 'no layer was asked', hunk: null };
  for (const resolver of tools.layers) {
    const resolution = await resolver.resolve(overlap);
    count(state, resolver.layer, resolution.kind !== 'undecided');
    if (resolution.kind !== 'undecided') return { ...resolution, layer: resolver.layer };
    // The last layer tells best why, the last that has something to show what is in the way.
    const hunk: string | null = resolution.hunk ?? (last.kind === 'undecided' ? last.hunk : null);
    last = { ...resolution, hunk, layer: resolver.layer };
  }
  return last;
}

function decideUntouched(state: RemovalState, before: PathEntry | null): Decision {
  count(state, 'three-way', true);
  const common = {
    layer: 'three-way',
    explained: [],
    why: 'untouched since the patch: back to what stood there before',
  };
  return before === null
    ? { kind: 'delete', ...common }
    : { kind: 'entry', entry: { mode: before.mode, oid: before.oid }, ...common };
}

function count(state: RemovalState, layer: string, solved: boolean): void {
  const counts = state.layers.get(layer) ?? { asked: 0, solved: 0 };
  counts.asked += 1;
  if (solved) counts.solved += 1;
  state.layers.set(layer, counts);
}

async function apply(
  repository: Repository,
  state: RemovalState,
  place: { change: PathChange; now: string | null; target: string },
  decision: Decision,
): Promise<void> {
  const { change, now, target } = place;
  const ours = now === null ? null : (state.files.get(now) ?? null);
  if (now !== null) state.files.delete(now);
  if (decision.kind === 'entry') state.files.set(target, decision.entry);
  if (decision.kind === 'bytes') {
    const keepsMode = ours !== null && ours.mode !== change.after?.mode;
    const mode = keepsMode ? ours.mode : (change.before?.mode ?? ours?.mode ?? '100644');
    state.files.set(target, { mode, oid: await repository.writeBlob(decision.bytes) });
  }
  if (now !== null && now !== target && decision.kind !== 'delete') {
    const origins = [...state.moved].flatMap(([from, to]) => (to === now ? [from] : []));
    for (const origin of origins.length > 0 ? origins : [now]) state.moved.set(origin, target);
  }
}

/** A rename goes back, unless later work renamed the file again. */
function targetPath({ before, after }: PathChange, now: string): string {
  return before !== null && after !== null && now === after.path ? before.path : now;
}

/** What stands in the way of a file at `target`; null where nothing does. */
function obstacle(files: TreeFiles, now: string | null, target: string): string | null {
  if (target === now) return null;
  if (files.has(target)) return 'another file stands at the path it had before the patch';
  for (let slash = target.indexOf('/'); slash >= 0; slash = target.indexOf('/', slash + 1)) {
    const parent = target.slice(0, slash);
    if (parent !== now && files.has(parent)) return 'a file stands where its folder was before the patch';
  }
  for (const path of files.keys())
    if (path !== now && path.startsWith(`${target}/`)) return 'a folder stands at the path it had before the patch';
  return null;
}

function isOpaque(file: TreeFile | null): boolean {
  return file !== null && file.mode !== '100644' && file.mode !== '100755';
}

function sameEntry(a: TreeFile | null, b: TreeFile | null): boolean {
  return a === null || b === null ? a === b : a.oid === b.oid && a.mode === b.mode;
}
