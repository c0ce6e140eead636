import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorCodeOf } from '#kernel/faults.js';
import { writeFileAtomic } from '#store/index.js';
import { COLUMN_NAMES, type RawColumns, type RawHead } from './raw-columns.js';
import { RawHistory } from './raw-history.js';

/** Changes with the layout below and with what a walk finds; files of another version are made again. */
const MAGIC = 'featurearc raw history 2\n';

interface FileHead {
  raw: RawHead;
  /** Type, bytes and checksum of each column, in the order of `COLUMN_NAMES`. */
  columns: { type: string; bytes: number; crc: number }[];
}

/** Where the raw history of a head is kept. The head names the whole past, so nothing else enters the name. */
export function rawFileOf(cacheFolder: string, head: string): string {
  return join(cacheFolder, `${head}.raw`);
}

/** Writes the history whole or not at all; a second process writing the same does no harm. */
export async function saveRaw(path: string, history: RawHistory): Promise<void> {
  const bodies = COLUMN_NAMES.map((name) => {
    const column = history.columns[name];
    return { type: typeOf(column), bytes: Buffer.from(column.buffer, column.byteOffset, column.byteLength) };
  });
  const head: FileHead = {
    raw: history.head,
    columns: bodies.map(({ type, bytes }) => ({ type, bytes: bytes.length, crc: crc32(bytes) })),
  };
  const text = Buffer.from(`${MAGIC}${JSON.stringify(head)}\n`, 'utf8');
  const parts: Buffer[] = [text, padding(text.length)];
  for (const { bytes } of bodies) parts.push(bytes, padding(bytes.length));
  await writeFileAtomic(path, Buffer.concat(parts));
}

/** Reads a kept history, or null where there is none that is whole and of this version. */
export async function loadRaw(path: string): Promise<RawHistory | null> {
  let file: Buffer;
  try {
    file = await readFile(path);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
  const head = readHead(file);
  if (head === null) return null;
  const columns: Record<string, unknown> = {};
  let at = head.bodyAt;
  for (const [index, name] of COLUMN_NAMES.entries()) {
    const facts = head.head.columns[index];
    if (facts === undefined || at + facts.bytes > file.length) return null;
    const bytes = file.subarray(at, at + facts.bytes);
    if (crc32(bytes) !== facts.crc) return null;
    columns[name] = viewAs(facts.type, bytes);
    at += facts.bytes + padding(facts.bytes).length;
  }
  return new RawHistory(head.head.raw, columns as unknown as RawColumns);
}

function readHead(file: Buffer): { head: FileHead; bodyAt: number } | null {
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const end = file.indexOf(0x0a, MAGIC.length);
  if (end < 0) return null;
  try {
    const head = JSON.parse(file.toString('utf8', MAGIC.length, end)) as FileHead;
    return { head, bodyAt: end + 1 + padding(end + 1).length };
  } catch {
    // A damaged file is made again.
    return null;
  }
}

function typeOf(column: RawColumns[keyof RawColumns]): string {
  return Buffer.isBuffer(column) ? 'Buffer' : column.constructor.name;
}

/** Columns begin at multiples of eight bytes, so that they can be read in place. */
function padding(length: number): Buffer {
  return Buffer.alloc((8 - (length % 8)) % 8);
}

function viewAs(type: string, bytes: Buffer): unknown {
  if (type === 'Buffer') return bytes;
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  const { buffer, byteOffset, byteLength } = aligned;
  if (type === 'Uint8Array') return new Uint8Array(buffer, byteOffset, byteLength);
  if (type === 'Uint32Array') return new Uint32Array(buffer, byteOffset, byteLength / 4);
  if (type === 'Int32Array') return new Int32Array(buffer, byteOffset, byteLength / 4);
  return new Float64Array(buffer, byteOffset, byteLength / 8);
}
