import { createHash } from 'node:crypto';
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, instantOf } from '#kernel/clock.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { diskFault } from './files.js';

/** One line of a journal: numbered, timed, chained to the line before by hash. */
export interface JournalEntry {
  seq: number;
  at: string;
  /** SHA-256 (hex) of the text of the line before; 64 zeros for the first. */
  prev: string;
  type: string;
  data: Record<string, unknown>;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Bytes of a torn last line that were cut away when opening: the write that a death interrupted. */
  readonly tornBytes: number;
  /** Appends one entry and returns after fsync. Calls are serialised. */
  append(type: string, data: Record<string, unknown>): Promise<JournalEntry>;
  close(): Promise<void>;
}

const FIRST = '0'.repeat(64);

/** Reads a journal without changing it. @throws Fault `journal-broken` (input) where a line or the chain is damaged */
export async function readJournal(
  path: string,
): Promise<{ entries: JournalEntry[]; goodBytes: number; tornBytes: number }> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return { entries: [], goodBytes: 0, tornBytes: 0 };
    throw thrown;
  }
  const goodBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines =
    goodBytes === 0
      ? []
      : bytes
          .subarray(0, goodBytes - 1)
          .toString('utf8')
          .split('\n');
  let prev = FIRST;
  const entries = lines.map((line, index) => {
    const entry = parseEntry(line);
    if (entry === null || entry.prev !== prev || entry.seq !== index) {
      throw new Fault({
        code: 'journal-broken',
        kind: 'input',
        message: `${path}: line ${index + 1} does not continue the line before (edited or damaged)`,
        hint: 'Restore the file, or move this attempt aside to run it anew.',
      });
    }
    prev = hashLine(line);
    return entry;
  });
  return { entries, goodBytes, tornBytes: bytes.length - goodBytes };
}

/** Opens a journal for appending, cutting a torn last line away. The caller holds the lock of what it describes. */
export async function openJournal(path: string, clock: Clock): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const { entries, goodBytes, tornBytes } = await readJournal(path);
  if (tornBytes > 0) await truncate(path, goodBytes);
  const file = await open(path, 'a', 0o644);
  const last = entries.at(-1);
  let prev = last === undefined ? FIRST : hashLine(JSON.stringify(last));
  let size = goodBytes;
  let queue: Promise<unknown> = Promise.resolve();

  const write = async (type: string, data: Record<string, unknown>): Promise<JournalEntry> => {
    const entry: JournalEntry = { seq: entries.length, at: instantOf(clock), prev, type, data };
    const line = JSON.stringify(entry);
    const bytes = Buffer.from(`${line}\n`);
    try {
      await file.appendFile(bytes);
      await file.datasync();
    } catch (thrown) {
      // A full disk may take half a line: the next one must not follow it. Where even this fails, opening cuts it.
      await file.truncate(size).catch(() => undefined);
      throw diskFault(thrown, path) ?? thrown;
    }
    size += bytes.length;
    prev = hashLine(line);
    entries.push(entry);
    return entry;
  };

  return {
    entries,
    tornBytes,
    append: (type, data) => {
      const written = queue.then(() => write(type, data));
      queue = written.catch(() => undefined);
      return written;
    },
    close: async () => {
      await queue;
      await file.close();
    },
  };
}

function hashLine(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

function parseEntry(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    if (
      value === null ||
      typeof value !== 'object' ||
      !('seq' in value) ||
      !('prev' in value) ||
      !('type' in value) ||
      !('data' in value)
    )
      return null;
    return value as JournalEntry;
  } catch {
    return null;
  }
}
