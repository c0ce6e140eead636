import { versionKey } from '../facts/facts-job.js';
import type { ConfigFacts } from '../graph/config-facts.js';
import { IncrementalGraph, type TreeChange } from '../graph/incremental-graph.js';
import { walkFirstParents } from '../graph/walk-first-parents.js';
import type { FileChange, HistoryCommit, ModuleGraph } from '../history.js';
import type { ParsedFacts, PendingImport } from './describe-commit.js';
import { versionAt } from './plan-pairs.js';

interface GraphRequest {
  commits: readonly HistoryCommit[];
  facts: ParsedFacts;
  /** Configuration by path and blob. */
  config(path: string, blob: string): ConfigFacts | null;
  pending: ReadonlyMap<number, { added: PendingImport[]; removed: PendingImport[] }>;
  /** Called at every commit with the graph as it is there. */
  onCommit?: (commit: HistoryCommit, graph: IncrementalGraph) => void;
}

/** Carries the module graph through the history: edges that come and go, and where new imports lead. @returns the head's graph */
export function graphHistory(request: GraphRequest): ModuleGraph {
  const { commits, pending } = request;
  const graph = new IncrementalGraph();
  let head: ModuleGraph = { edges: new Map() };
  walkFirstParents(
    commits.map((commit) => commit.firstParent),
    (index) => {
      const commit = commits[index] as HistoryCommit;
      const imports = pending.get(index);
      for (const { record, statement } of imports?.removed ?? [])
        record.targets = graph.resolve(record.path, statement);
      const { edges, undo } = graph.apply(commit.changes.flatMap((change) => treeChanges(change, request)));
      if (commit.inScope) commit.graphChanges = edges;
      for (const { record, statement } of imports?.added ?? []) record.targets = graph.resolve(record.path, statement);
      if (index === commits.length - 1) head = { edges: graph.edges() };
      request.onCommit?.(commit, graph);
      return undo;
    },
    (undo) => graph.revert(undo),
  );
  return head;
}

/** A file change as the graph sees it: nothing at the old path of a rename, and imports at the new. */
export function treeChanges(
  change: FileChange,
  { facts, config }: Pick<GraphRequest, 'facts' | 'config'>,
): TreeChange[] {
  const changes: TreeChange[] = [];
  if (change.from !== null && change.status === 'renamed') changes.push({ path: change.from, now: null });
  if (change.newBlob === null || change.after === 'gitlink') return [...changes, { path: change.path, now: null }];
  const version = versionAt(change.path, change.after, change.newBlob);
  const imports = version === null ? null : (facts.blob(versionKey(version))?.imports ?? null);
  return [...changes, { path: change.path, now: { imports, config: config(change.path, change.newBlob) } }];
}
