import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorCodeOf } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { writeFileAtomic } from '#store/index.js';
import type { ConfigFacts } from '../graph/config-facts.js';
import type { BlobFacts } from '../pieces/blob-facts.js';
import type { PairDelta } from '../pieces/pair-delta.js';
import type { FactsAnswer } from './facts-job.js';

/** Grows whenever facts of the same bytes come out differently. */
export const FACTS_VERSION = 3;
/** More pieces than this are joined into one. */
const MAX_SHARDS = 8;

type Line = ['b', string, BlobFacts] | ['p', string, PairDelta] | ['c', string, ConfigFacts | null];

/**
 * What was parsed, by blob id: a folder of files that are written once, whole, under names nobody else takes. Any
 * number of processes may read and add at once; a run that is interrupted keeps what it has added.
 */
export class FactsCache {
  readonly blobs = new Map<string, BlobFacts>();
  readonly pairs = new Map<string, PairDelta>();
  /** Configuration files by blob id and file name. */
  readonly configs = new Map<string, ConfigFacts | null>();
  private fresh: Line[] = [];

  private constructor(private readonly folder: string | null) {}

  /** Opens the cache below a folder; null keeps everything in memory only. */
  static async open(cacheFolder: string | null): Promise<FactsCache> {
    const cache = new FactsCache(cacheFolder === null ? null : join(cacheFolder, `facts-${FACTS_VERSION}`));
    await cache.load();
    return cache;
  }

  add(answer: FactsAnswer): void {
    /** Missing may be found later; giving up may be the machine's fault. */
    const unsure = new Set<string>();
    for (const [key, facts] of answer.blobs) {
      if (facts.problem === 'missing' || facts.problem === 'gave-up') unsure.add(key);
      if (this.blobs.has(key)) continue;
      this.blobs.set(key, facts);
      if (!unsure.has(key)) this.fresh.push(['b', key, facts]);
    }
    for (const [key, delta] of answer.pairs) {
      if (this.pairs.has(key)) continue;
      this.pairs.set(key, delta);
      if (!key.split('>').some((version) => unsure.has(version))) this.fresh.push(['p', key, delta]);
    }
  }

  addConfig(key: string, facts: ConfigFacts | null): void {
    this.configs.set(key, facts);
    this.fresh.push(['c', key, facts]);
  }

  /** Facts not written yet. */
  get unwritten(): number {
    return this.fresh.length;
  }

  /** Writes what is new. */
  async flush(): Promise<void> {
    if (this.folder === null || this.fresh.length === 0) return;
    const lines = this.fresh;
    this.fresh = [];
    await writeShard(this.folder, lines);
  }

  private async load(): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    await mkdir(folder, { recursive: true });
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
    for (const name of names) this.read(await readIfAny(join(folder, name)));
    if (names.length <= MAX_SHARDS) return;
    const all: Line[] = [...this.blobs].map(([key, facts]): Line => ['b', key, facts]);
    for (const [key, delta] of this.pairs) all.push(['p', key, delta]);
    for (const [key, facts] of this.configs) all.push(['c', key, facts]);
    await writeShard(folder, all);
    for (const name of names) await rm(join(folder, name), { force: true });
  }

  private read(text: string): void {
    for (const line of text.split('\n')) {
      const entry = parseLine(line);
      if (entry === null) continue;
      if (entry[0] === 'b') this.blobs.set(entry[1], entry[2]);
      else if (entry[0] === 'p') this.pairs.set(entry[1], entry[2]);
      else this.configs.set(entry[1], entry[2]);
    }
  }
}

async function writeShard(folder: string, lines: readonly Line[]): Promise<void> {
  await writeFileAtomic(
    join(folder, `${unguessableId(8)}.jsonl`),
    lines.map((line) => sealed(JSON.stringify(line))).join(''),
  );
}

async function readIfAny(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    // Another process has just joined it with others.
    if (errorCodeOf(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}

/** A line with its CRC-32 before it: what a disk has damaged must not come back as facts. */
function sealed(json: string): string {
  return `${checkOf(json)} ${json}\n`;
}

/** A damaged line costs its facts, which are then parsed again. */
function parseLine(line: string): Line | null {
  const json = line.slice(CHECK_DIGITS + 1);
  if (json === '' || line.slice(0, CHECK_DIGITS) !== checkOf(json)) return null;
  return JSON.parse(json) as Line;
}

const CHECK_DIGITS = 8;

function checkOf(json: string): string {
  return crc32(json).toString(16).padStart(CHECK_DIGITS, '0');
}
