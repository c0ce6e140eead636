import type { GraphChange } from '../history.js';
import type { PieceImport } from '../pieces/piece-facts.js';
import type { ConfigFacts } from './config-facts.js';
import { resolveImport, resolveImports } from './resolve-imports.js';
import { NotingView, TreeState } from './tree-view.js';

/** How one path differs from the tree before. */
export interface TreeChange {
  path: string;
  /** Null: nothing stands there now. Imports are null for files that are not parsed. */
  now: { imports: readonly PieceImport[] | null; config: ConfigFacts | null } | null;
}

interface Importer {
  imports: readonly PieceImport[];
  targets: string[];
  probes: ReadonlySet<string>;
}

interface Undo {
  files: TreeChange[];
  importers: [path: string, before: Importer | null][];
}

/**
 * The module graph of a tree, kept while the tree changes. Every answer that resolving an import relied on is noted,
 * so a change reaches exactly the importers it concerns, and the graph equals one that is built from nothing.
 */
export class IncrementalGraph {
  private readonly tree = new TreeState();
  private readonly files = new Map<string, NonNullable<TreeChange['now']>>();
  private readonly importers = new Map<string, Importer>();
  private readonly askers = new Map<string, Set<string>>();

  /** Targets of each file that imports anything of the tree. */
  edges(): Map<string, string[]> {
    const edges = new Map<string, string[]>();
    for (const [path, { targets }] of this.importers) if (targets.length > 0) edges.set(path, targets);
    return edges;
  }

  targetsOf(path: string): readonly string[] {
    return this.importers.get(path)?.targets ?? [];
  }

  /** Where an import of a file leads in the present tree. */
  resolve(importer: string, statement: PieceImport): string[] {
    return resolveImport(importer, statement, this.tree).sort();
  }

  /** Changes the tree. @returns the edges that came and went, and what takes everything back */
  apply(changes: readonly TreeChange[]): { edges: GraphChange[]; undo: Undo } {
    const undo: Undo = { files: [], importers: [] };
    const stale = new Set<string>();
    for (const { path, now } of changes) {
      const before = this.files.get(path) ?? null;
      undo.files.push({ path, now: before });
      for (const probe of this.setFile(path, now)) for (const asker of this.askers.get(probe) ?? []) stale.add(asker);
      if (!sameImports(before?.imports ?? null, now?.imports ?? null)) stale.add(path);
    }
    const edges: GraphChange[] = [];
    for (const path of stale) {
      const before = this.importers.get(path) ?? null;
      const imports = this.files.get(path)?.imports ?? null;
      if (before === null && imports === null) continue;
      const after = imports === null ? null : this.resolved(path, imports);
      undo.importers.push([path, before]);
      this.replace(path, before, after);
      edges.push(...difference(path, before?.targets ?? [], after?.targets ?? []));
    }
    edges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
    return { edges, undo };
  }

  revert(undo: Undo): void {
    for (const { path, now } of undo.files.toReversed()) this.setFile(path, now);
    for (const [path, before] of undo.importers) this.replace(path, this.importers.get(path) ?? null, before);
  }

  private setFile(path: string, now: TreeChange['now']): string[] {
    if (now === null) this.files.delete(path);
    else this.files.set(path, now);
    return [...this.tree.setFile(path, now !== null), ...this.tree.setConfig(path, now?.config ?? null)];
  }

  private resolved(path: string, imports: readonly PieceImport[]): Importer {
    const view = new NotingView(this.tree);
    return { imports, targets: resolveImports(path, imports, view), probes: view.probes };
  }

  private replace(path: string, before: Importer | null, after: Importer | null): void {
    for (const probe of before?.probes ?? []) if (!after?.probes.has(probe)) this.askers.get(probe)?.delete(path);
    for (const probe of after?.probes ?? []) {
      if (before?.probes.has(probe)) continue;
      const askers = this.askers.get(probe);
      if (askers === undefined) this.askers.set(probe, new Set([path]));
      else askers.add(path);
    }
    if (after === null) this.importers.delete(path);
    else this.importers.set(path, after);
  }
}

/** Most changes of a file leave its imports alone, and then nothing has to be resolved again. */
function sameImports(a: readonly PieceImport[] | null, b: readonly PieceImport[] | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.length !== b.length) return false;
  return a.every((statement, at) => {
    const other = b[at];
    if (other === undefined || statement.specifier !== other.specifier || statement.within !== other.within)
      return false;
    return (
      statement.names.length === other.names.length &&
      statement.names.every((name, index) => name === other.names[index])
    );
  });
}

function difference(from: string, before: readonly string[], after: readonly string[]): GraphChange[] {
  const old = new Set(before);
  const now = new Set(after);
  return [
    ...before.filter((to) => !now.has(to)).map((to): GraphChange => ({ from, to, change: 'removed' })),
    ...after.filter((to) => !old.has(to)).map((to): GraphChange => ({ from, to, change: 'added' })),
  ];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
