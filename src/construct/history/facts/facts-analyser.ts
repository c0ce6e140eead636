import type { Repository } from '#git/index.js';
import { certain } from '#kernel/faults.js';
import { languageOf } from '#languages/index.js';
import { pairDelta } from '../pieces/pair-delta.js';
import { type Outline, PieceTable, unparsedBlob } from '../pieces/piece-table.js';
import { type FactsAnswer, type FactsJob, type FileVersion, versionKey } from './facts-job.js';

/** The table is given up and begun anew at this size: memory stays bounded, some pieces are parsed twice. */
const MAX_TABLE_BYTES = 192 * 2 ** 20;
/** Blobs asked for at once, and how few may be left before more are asked for. */
const READ_AHEAD = 48;
const READ_AGAIN_AT = 16;

/** Reads versions of files and compares them. One analyser works on one job at a time. */
export class FactsAnalyser {
  private table = new PieceTable();

  /** @param onVersion told before each version is parsed, so that a watcher can name what never comes back */
  constructor(
    private readonly repository: Repository,
    private readonly onVersion: (ordinal: number) => void = () => undefined,
  ) {}

  async run(job: FactsJob): Promise<FactsAnswer> {
    if (this.table.sizeBytes > MAX_TABLE_BYTES) this.table = new PieceTable();
    const versions = versionsOf(job);
    const outlines = await this.outlines(versions, new Set(job.skip));
    const none: Outline = { pieces: [], blob: unparsedBlob('missing') };
    const outlineOf = (version: FileVersion | null): Outline =>
      version === null ? none : (outlines.get(versionKey(version)) ?? none);
    return {
      blobs: [...outlines].map(([key, outline]) => [key, outline.blob]),
      pairs: job.pairs.map((pair) => [
        pair.key,
        pairDelta(outlineOf(pair.old), outlineOf(pair.new), (piece) => this.table.factsOf(piece)),
      ]),
    };
  }

  private async outlines(versions: readonly FileVersion[], skip: ReadonlySet<string>): Promise<Map<string, Outline>> {
    const outlines = new Map<string, Outline>();
    const reads: ReturnType<Repository['read']>[] = [];
    for (const [ordinal, version] of versions.entries()) {
      if (reads.length - ordinal < READ_AGAIN_AT)
        for (const { oid } of versions.slice(reads.length, ordinal + READ_AHEAD)) reads.push(this.ask(oid));
      const object = await certain(reads[ordinal], 'read');
      const key = versionKey(version);
      this.onVersion(ordinal);
      if (skip.has(key)) outlines.set(key, { pieces: [], blob: unparsedBlob('gave-up') });
      else if (object === null || object.type !== 'blob')
        outlines.set(key, { pieces: [], blob: unparsedBlob('missing') });
      else
        outlines.set(
          key,
          await this.table.outline(object.content, certain(languageOf(version.language), version.language)),
        );
    }
    return outlines;
  }

  /** Asked ahead: where it fails before its turn, nobody awaits it yet, and Node would end the program. */
  private ask(oid: string): ReturnType<Repository['read']> {
    const read = this.repository.read(oid);
    read.catch(() => undefined);
    return read;
  }
}

/** Every version of a job once, in order of appearance. */
export function versionsOf(job: FactsJob): FileVersion[] {
  const seen = new Map<string, FileVersion>();
  for (const pair of job.pairs)
    for (const version of [pair.old, pair.new]) if (version !== null) seen.set(versionKey(version), version);
  return [...seen.values()];
}
