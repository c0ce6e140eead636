import type { CommitFacts, Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { isShallow, requireObjects, shallowFault } from './clone-completeness.js';
import { type CommitGraph, readCommitGraph } from './commit-graph.js';
import { labelPatch } from './patch-role.js';
import { readChanges } from './read-changes.js';
import { type HistoryStep, nameCommit, type Stage, type StageCommit, type Stages } from './stages.js';

export interface StagesRequest {
  /** Revisions of each stage's commits, stage by stage; within a stage the order does not matter. */
  stages: readonly (readonly string[])[];
  /** Revision that the states are rebuilt from; by default the last stage's last commit. */
  checkpoint?: string;
}

/**
 * Reads a chain named commit by commit and holds it against history.
 * @throws Fault (input): `stage-missing`, `stage-commit-ambiguous`, `revision-unknown`, `stage-commit-twice`,
 * `stage-commit-empty`, `stage-order`, `stage-overlap`, `stage-outside-checkpoint`, `stage-without-source`,
 * `stage-without-tests`, `clone-shallow`, `clone-partial`
 */
export async function readStages(repository: Repository, request: StagesRequest): Promise<Stages> {
  requireNamed(request);
  const named = await resolveAll(repository, request);
  const shallow = await isShallow(repository);
  const last = named.stages.at(-1)?.commits ?? [];
  const heads = named.checkpoint === null ? last : [named.checkpoint];
  const all = named.stages.flatMap((stage) => stage.commits);
  const graph = await readCommitGraph(repository, [...new Set([...all, ...heads].map(({ oid }) => oid))]);
  const stages = named.stages.map(({ index, commits }) => ({
    index,
    commits: sortByAge(withoutMerged(commits, graph), graph),
  }));
  const checkpoint = named.checkpoint ?? stages.at(-1)?.commits.at(-1) ?? null;
  if (checkpoint === null) throw noStages();
  checkOrder(stages, graph);
  checkReach(stages, checkpoint, graph, shallow ? repository.place.gitDir : null);
  const read = await readCommits(repository, stages, checkpoint.tree, shallow);
  for (const stage of read) checkStage(stage);
  return {
    checkpoint: { oid: checkpoint.oid, tree: checkpoint.tree },
    stages: read,
    path: findPath(read, checkpoint.oid, graph),
  };
}

interface NamedStage {
  index: number;
  commits: CommitFacts[];
}

function noStages(): Fault {
  return new Fault({
    code: 'stage-missing',
    kind: 'usage',
    message: 'no stage is named',
    hint: 'Name each stage by its commits: --stage c1 --stage c2,c3 (oldest stage first).',
  });
}

function requireNamed({ stages }: StagesRequest): void {
  if (stages.length === 0) throw noStages();
  const empty = stages.findIndex((stage) => stage.length === 0 || stage.some((revision) => revision.trim() === ''));
  if (empty >= 0) {
    throw new Fault({
      code: 'stage-missing',
      kind: 'usage',
      message: `stage ${empty}: a commit is missing in its list`,
      hint: 'Name each stage by its commits: --stage c1 --stage c2,c3 (oldest stage first).',
    });
  }
}

async function resolveAll(
  repository: Repository,
  request: StagesRequest,
): Promise<{ stages: NamedStage[]; checkpoint: CommitFacts | null }> {
  const stages: NamedStage[] = [];
  const seen = new Map<string, number>();
  for (const [index, revisions] of request.stages.entries()) {
    const commits: CommitFacts[] = [];
    for (const revision of revisions) {
      const commit = await resolveCommit(repository, revision.trim(), `stage ${index}`);
      const earlier = seen.get(commit.oid);
      if (earlier !== undefined) {
        throw new Fault({
          code: 'stage-commit-twice',
          kind: 'input',
          message: `commit ${commit.oid.slice(0, 12)} is named in stage ${earlier} and again in stage ${index}`,
          hint: 'Each commit belongs to one stage.',
        });
      }
      seen.set(commit.oid, index);
      commits.push(commit);
    }
    stages.push({ index, commits });
  }
  const checkpoint =
    request.checkpoint === undefined ? null : await resolveCommit(repository, request.checkpoint, 'checkpoint');
  return { stages, checkpoint };
}

async function resolveCommit(repository: Repository, revision: string, where: string): Promise<CommitFacts> {
  try {
    return await repository.commit(revision);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'revision-unknown') throw thrown;
    const candidates = /^[0-9a-f]{4,63}$/i.test(revision) ? await commitsBeginning(repository, revision) : [];
    if (candidates.length > 1) {
      throw new Fault({
        code: 'stage-commit-ambiguous',
        kind: 'input',
        message: `${where}: ${candidates.length} commits begin with ${revision}: ${candidates
          .slice(0, 4)
          .map((oid) => oid.slice(0, 16))
          .join(', ')}`,
        hint: 'Give more digits of the commit id.',
      });
    }
    throw new Fault({
      code: thrown.code,
      kind: thrown.kind,
      message: `${where}: ${thrown.message}`,
      ...(thrown.hint === null ? {} : { hint: thrown.hint }),
    });
  }
}

async function commitsBeginning(repository: Repository, prefix: string): Promise<string[]> {
  const found = await repository.git({ args: ['rev-parse', `--disambiguate=${prefix}`], accept: [0, 128] });
  const oids = found.stdout.toString('latin1').split('\n').filter(Boolean).slice(0, 50);
  const objects = await Promise.all(oids.map((oid) => repository.read(oid)));
  return objects.flatMap((object) => (object?.type === 'commit' ? [object.oid] : []));
}

/** A merge stands for its whole branch, so commits of the branch that are named beside it in the same stage go. */
function withoutMerged(commits: readonly CommitFacts[], graph: CommitGraph): CommitFacts[] {
  return commits.filter((commit) => !commits.some((other) => brings(other, commit, graph)));
}

/** True where `merge` has `commit` on a merged branch. */
function brings(merge: CommitFacts, commit: CommitFacts, graph: CommitGraph): boolean {
  const [first] = merge.parents;
  if (merge.parents.length < 2 || first === undefined || merge.oid === commit.oid) return false;
  return graph.isAncestor(commit.oid, merge.oid) && !graph.isAncestor(commit.oid, first);
}

function sortByAge(commits: readonly CommitFacts[], graph: CommitGraph): CommitFacts[] {
  return [...commits].sort((a, b) => (graph.position(a.oid) ?? 0) - (graph.position(b.oid) ?? 0));
}

function nameOf(stage: number, commit: CommitFacts): string {
  return nameCommit(stage, { oid: commit.oid, subject: subjectOf(commit) });
}

function checkOrder(stages: readonly NamedStage[], graph: CommitGraph): void {
  const all = stages.flatMap(({ index, commits }) => commits.map((commit) => ({ stage: index, commit })));
  for (const [position, earlier] of all.entries()) {
    for (const later of all.slice(position + 1)) {
      if (earlier.stage < later.stage && graph.isAncestor(later.commit.oid, earlier.commit.oid)) {
        throw new Fault({
          code: 'stage-order',
          kind: 'input',
          message: `${nameOf(earlier.stage, earlier.commit)} descends from ${nameOf(later.stage, later.commit)}`,
          hint: 'Name the stages oldest first.',
        });
      }
      if (brings(later.commit, earlier.commit, graph)) {
        throw new Fault({
          code: 'stage-overlap',
          kind: 'input',
          message: `${nameOf(later.stage, later.commit)} is a merge that brings ${nameOf(earlier.stage, earlier.commit)}`,
          hint: 'A merge stands for its whole branch: name the merge, or the commits of the branch in their stages.',
        });
      }
    }
  }
}

function checkReach(
  stages: readonly NamedStage[],
  checkpoint: CommitFacts,
  graph: CommitGraph,
  shallowIn: string | null,
): void {
  for (const { index, commits } of stages) {
    for (const commit of commits) {
      if (graph.isAncestor(commit.oid, checkpoint.oid)) continue;
      const what = `${nameOf(index, commit)} is not part of the checkpoint ${checkpoint.oid.slice(0, 12)}`;
      if (shallowIn !== null) throw shallowFault(shallowIn, `as far as it reaches, ${what}`);
      throw new Fault({
        code: 'stage-outside-checkpoint',
        kind: 'input',
        message: what,
        hint: 'Name a checkpoint that contains every stage: --checkpoint REF (for parallel branches the merge of both).',
      });
    }
  }
}

async function readCommits(
  repository: Repository,
  stages: readonly NamedStage[],
  checkpointTree: string,
  shallow: boolean,
): Promise<Stage[]> {
  const emptyTree = await repository.writeTree(new Map());
  const rows: { stage: number; commit: Omit<StageCommit, 'changes'> }[] = [];
  for (const { index, commits } of stages) {
    for (const commit of commits) {
      const [parent = null] = commit.parents;
      const parentTree =
        parent === null ? emptyTree : await treeOfParent(repository, parent, nameOf(index, commit), shallow);
      const { oid, tree } = commit;
      const told = { subject: subjectOf(commit), message: textOf(commit) };
      rows.push({ stage: index, commit: { oid, parent, tree, parentTree, ...told } });
    }
  }
  const pairs = rows.map(({ commit }) => ({ before: commit.parentTree, after: commit.tree }));
  await requireObjects(repository, [
    ...new Set([checkpointTree, ...pairs.flatMap((pair) => [pair.before, pair.after])]),
  ]);
  const changes = await readChanges(repository, pairs);
  const read: Stage[] = stages.map(({ index }) => ({ index, commits: [] }));
  for (const [at, { stage, commit }] of rows.entries())
    read[stage]?.commits.push({ ...commit, changes: changes[at] ?? [] });
  return read;
}

async function treeOfParent(repository: Repository, parent: string, child: string, shallow: boolean): Promise<string> {
  const object = await repository.read(parent);
  if (object !== null) return (await repository.commit(parent)).tree;
  if (shallow) throw shallowFault(repository.place.gitDir, `the parent of ${child} is beyond its edge`);
  throw new Fault({
    code: 'object-missing',
    kind: 'input',
    message: `${repository.place.gitDir}: commit ${parent}, the parent of ${child}, is not in the repository`,
    hint: 'The repository is damaged or cut: run `git fsck`, or clone it again.',
  });
}

function checkStage(stage: Stage): void {
  for (const commit of stage.commits) {
    if (commit.changes.length > 0) continue;
    throw new Fault({
      code: 'stage-commit-empty',
      kind: 'input',
      message: `${nameCommit(stage.index, commit)} changes no file`,
      hint: 'Leave it out, or name the commit that made the change.',
    });
  }
  const roles = new Set(stage.commits.flatMap((commit) => commit.changes.map((change) => labelPatch(change).role)));
  const names = stage.commits.map((commit) => commit.oid.slice(0, 12)).join(', ');
  if (!roles.has('feature')) {
    throw new Fault({
      code: 'stage-without-source',
      kind: 'input',
      message: `stage ${stage.index} (${names}) changes no source file`,
      hint: 'A stage extends the feature: add the commit that changed the source to this stage.',
    });
  }
  if (!roles.has('tests')) {
    throw new Fault({
      code: 'stage-without-tests',
      kind: 'input',
      message: `stage ${stage.index} (${names}) changes no test`,
      hint: 'Without tests a stage cannot be graded: add the commit that tests it to this stage.',
    });
  }
}

/** The way through all chain commits to the checkpoint; null where there is no single one. */
function findPath(stages: readonly Stage[], checkpoint: string, graph: CommitGraph): HistoryStep[] | null {
  const commits = stages.flatMap((stage) => stage.commits);
  const steps: HistoryStep[] = [];
  let at: string | null = null;
  for (const commit of commits) {
    if (at !== null && at !== commit.parent) {
      const before: HistoryStep[] | null = commit.parent === null ? null : graph.walk(at, commit.parent);
      if (before === null) return null;
      steps.push(...before);
    }
    steps.push({ parent: commit.parent, commit: commit.oid });
    at = commit.oid;
  }
  const rest = at === null ? null : graph.walk(at, checkpoint);
  return rest === null ? null : [...steps, ...rest];
}

function textOf(commit: CommitFacts): string {
  return commit.message.toString('utf8');
}

function subjectOf(commit: CommitFacts): string {
  return textOf(commit).trimStart().split('\n', 1)[0]?.trim() ?? '';
}
