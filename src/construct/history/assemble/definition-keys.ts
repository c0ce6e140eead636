import type { DefinitionChange } from '../history.js';

/** A change whose content is known, so that a removed and an added definition can be seen to be one that moved. */
export interface HashedChange {
  change: DefinitionChange;
  contentHash: string;
}

/** Gives definitions one key through renames of their files and moves between files and classes. */
export class DefinitionKeys {
  private readonly canonical = new Map<string, string>();

  keyOf(lineage: number, qualifiedName: string): string {
    const plain = `${lineage}:${qualifiedName}`;
    return this.canonical.get(plain) ?? plain;
  }

  /** Changes of one commit with their keys; a removed definition that stands elsewhere with equal content has moved. */
  settle(changes: readonly HashedChange[]): DefinitionChange[] {
    const removed = new Map<string, HashedChange[]>();
    for (const hashed of changes) {
      if (hashed.change.change !== 'removed') continue;
      const name = moveName(hashed);
      removed.set(name, [...(removed.get(name) ?? []), hashed]);
    }
    const moved = new Set<HashedChange>();
    for (const hashed of changes) {
      if (hashed.change.change !== 'added') continue;
      const from = removed.get(moveName(hashed))?.shift();
      if (from === undefined) continue;
      moved.add(from);
      hashed.change.change = 'moved';
      const key = this.keyOf(from.change.lineage, from.change.qualifiedName);
      this.canonical.set(`${hashed.change.lineage}:${hashed.change.qualifiedName}`, key);
    }
    return changes
      .filter((hashed) => !moved.has(hashed))
      .map(({ change }) => ({ ...change, key: this.keyOf(change.lineage, change.qualifiedName) }));
  }
}

function moveName({ change, contentHash }: HashedChange): string {
  return `${change.kind} ${change.name} ${contentHash}`;
}
