/** Shorter lines (closing brackets, `else:`) stand everywhere and tell nothing of who wrote them. */
const MIN_LENGTH = 8;

/**
 * The lines that can be told apart, indentation aside, as 32-bit hashes (FNV-1a over UTF-16 units) in base64: small
 * enough to be kept for every version of a file.
 */
export function hashLines(lines: readonly string[]): string {
  const hashes = new Set<number>();
  for (const line of lines) {
    const text = line.trim();
    if (text.length >= MIN_LENGTH) hashes.add(hashOf(text));
  }
  return packed([...hashes]);
}

function packed(hashes: readonly number[]): string {
  if (hashes.length === 0) return '';
  const bytes = Buffer.alloc(hashes.length * 4);
  let at = 0;
  for (const hash of hashes) at = bytes.writeUInt32LE(hash, at);
  return bytes.toString('base64');
}

/** The lines that two results of `hashLines` have in common. */
export function commonLines(a: string, b: string): { packed: string; count: number } {
  const others = new Set(lineHashes(b));
  const common = lineHashes(a).filter((hash) => others.has(hash));
  return { packed: packed(common), count: common.length };
}

/** The hashes of `hashLines` as numbers. */
export function lineHashes(packed: string): number[] {
  const bytes = Buffer.from(packed, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_none, at) => bytes.readUInt32LE(at * 4));
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
