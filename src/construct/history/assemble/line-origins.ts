import { lineHashes } from '../pieces/line-hashes.js';
import type { PairDelta } from '../pieces/pair-delta.js';

/**
 * Who wrote the lines that a commit takes away: for every file, through renames, the last commit that wrote each line.
 * Lines are known by their content, so a line that moves within its file, or is written on two branches, still has one
 * origin. Commits come in topological order.
 */
export class LineOrigins {
  private readonly byLineage = new Map<number, Map<number, number>>();

  /** Notes what a commit did to a file. @param reworked grows by the lines of earlier commits that are gone, by commit */
  note(
    commit: number,
    lineage: number,
    delta: Pick<PairDelta, 'added' | 'removed'>,
    reworked: Map<number, number>,
  ): void {
    let origins = this.byLineage.get(lineage);
    for (const line of lineHashes(delta.removed)) {
      const origin = origins?.get(line);
      if (origin !== undefined && origin !== commit) reworked.set(origin, (reworked.get(origin) ?? 0) + 1);
    }
    if (delta.added === '') return;
    if (origins === undefined) {
      origins = new Map();
      this.byLineage.set(lineage, origins);
    }
    for (const line of lineHashes(delta.added)) origins.set(line, commit);
  }
}
