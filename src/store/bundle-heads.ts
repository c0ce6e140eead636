import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCodeOf, Fault } from '#kernel/faults.js';

export interface BundleHead {
  oid: string;
  ref: string;
}

const MAX_HEADER_BYTES = 1 << 20;

/**
 * The heads that a git bundle names, read from its header, after comparing its pack with the checksum at the end.
 * A bundle that needs objects from elsewhere is refused.
 * @throws Fault `file-missing`, `bundle-damaged` (input)
 */
export async function readBundleHeads(path: string): Promise<BundleHead[]> {
  const { header, size } = await readHeader(path);
  const lines = header.text.split('\n');
  const signature = lines.shift();
  if (signature !== '# v2 git bundle' && signature !== '# v3 git bundle') throw damaged(path, 'not a git bundle');
  const heads: BundleHead[] = [];
  for (const line of lines) {
    if (line.startsWith('@')) continue;
    if (line.startsWith('-')) throw damaged(path, 'needs objects that are not in it');
    const match = /^([0-9a-f]{40,64}) (\S+)$/.exec(line);
    if (match === null) throw damaged(path, `unreadable header line ${JSON.stringify(line.slice(0, 80))}`);
    heads.push({ oid: match[1] as string, ref: match[2] as string });
  }
  if (heads.length === 0) throw damaged(path, 'names no commit');
  if (!(await packIsWhole(path, header.bytes, size))) throw damaged(path, 'its pack is cut or changed');
  return heads;
}

async function readHeader(path: string): Promise<{ header: { text: string; bytes: number }; size: number }> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (cause) {
    if (errorCodeOf(cause) !== 'ENOENT') throw cause;
    throw new Fault({
      code: 'file-missing',
      kind: 'input',
      message: `${path}: no such file`,
      hint: 'A task package carries its code as git bundles; fetch the package again or build it anew.',
      cause,
    });
  }
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\n\n');
    if (end < 0) throw damaged(path, 'not a git bundle');
    return { header: { text: buffer.toString('utf8', 0, end), bytes: end + 2 }, size };
  } finally {
    await file.close();
  }
}

/** A pack ends with the SHA-1 of everything in it before (gitformat-pack). */
async function packIsWhole(path: string, from: number, size: number): Promise<boolean> {
  if (size - from < 32) return false;
  const hash = createHash('sha1');
  let last = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start: from })) {
    const all = Buffer.concat([last, chunk as Buffer]);
    const keep = Math.min(20, all.length);
    hash.update(all.subarray(0, all.length - keep));
    last = all.subarray(all.length - keep);
  }
  return hash.digest().equals(last);
}

function damaged(path: string, what: string): Fault {
  return new Fault({
    code: 'bundle-damaged',
    kind: 'input',
    message: `${path}: ${what}`,
    hint: 'Fetch the task package again or build it anew.',
  });
}
