import type { Repository, TreeFiles } from '#git/index.js';
import { mapLimited } from '#kernel/async.js';
import { isText } from './text.js';

/** A line that hardly stands in two places by accident: two words at least, and some length. */
export function isDistinctive(line: string): boolean {
  const text = line.trim();
  return text.length >= 16 && (text.match(/[A-Za-z_\u0080-\u00ff][A-Za-z0-9_\u0080-\u00ff]+/g)?.length ?? 0) >= 3;
}

const IN_FLIGHT = 64;

/** The names that a line uses: identifiers of at least three letters. */
export function namesIn(text: string): string[] {
  return text.match(/[A-Za-z_$\u0080-\u00ff][\w$\u0080-\u00ff]{2,}/g) ?? [];
}

const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim());

/** Counts how often wanted lines (compared without indentation and line end) stand in trees; blobs are read once. */
export class LineCensus {
  private readonly byBlob = new Map<string, ReadonlyMap<string, number>>();

  constructor(
    private readonly repository: Repository,
    /** One character a byte. */
    private readonly wanted: ReadonlySet<string>,
    /** How a text falls into what is counted: by default into trimmed lines. */
    private readonly split: (text: string) => readonly string[] = trimmedLines,
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
      for (const item of this.split(content.toString('latin1')))
        if (this.wanted.has(item)) counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    this.byBlob.set(oid, counts);
    return counts;
  }
}
