import type { Repository, TreeFiles } from '#git/index.js';
import { mapLimited } from '#kernel/async.js';
import { splitLines } from './diff-lines.js';
import { isText } from './text.js';

/** A line that hardly stands in two places by accident: two words at least, and some length. */
export function isDistinctive(line: string): boolean {
  const text = line.trim();
  return text.length >= 16 && (text.match(/[A-Za-z_\u0080-\u00ff][A-Za-z0-9_\u0080-\u00ff]+/g)?.length ?? 0) >= 3;
}

const IN_FLIGHT = 64;

/** Counts how often wanted lines (compared without indentation and line end) stand in trees; blobs are read once. */
export class LineCensus {
  private readonly byBlob = new Map<string, ReadonlyMap<string, number>>();

  constructor(
    private readonly repository: Repository,
    /** Trimmed lines, one character a byte. */
    private readonly wanted: ReadonlySet<string>,
  ) {}

  /** Where the wanted lines stand: trimmed line -> path -> count. */
  async places(files: TreeFiles): Promise<Map<string, Map<string, number>>> {
    const places = new Map<string, Map<string, number>>();
    if (this.wanted.size === 0) return places;
    await mapLimited([...files], IN_FLIGHT, async ([path, file]) => {
      if (file.mode === '160000') return;
      for (const [line, count] of await this.count(file.oid)) {
        const found = places.get(line) ?? new Map<string, number>();
        found.set(path, count);
        places.set(line, found);
      }
    });
    return places;
  }

  private async count(oid: string): Promise<ReadonlyMap<string, number>> {
    const known = this.byBlob.get(oid);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    const content = await this.repository.readBlob(oid);
    if (isText(content)) {
      for (const line of splitLines(content)) {
        const text = line.trim();
        if (this.wanted.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
    this.byBlob.set(oid, counts);
    return counts;
  }
}
