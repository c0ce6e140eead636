/** A run of lines that differs: `[aStart, aEnd)` of the old text became `[bStart, bEnd)` of the new one. */
export interface Hunk {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

/** Edits beyond which the rest of a region counts as rewritten: keeps the worst case small, loses no byte. */
const MAX_EDITS = 1_200;

/** Lines of a text, each with its terminator, one character a byte: joining them gives the bytes back. */
export function splitLines(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function joinLines(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'latin1');
}

/**
 * The hunks between two lists of lines (or tokens): lines that stand once on both sides anchor, the gaps between them
 * are compared by Myers' algorithm, and pure insertions and deletions slide down as far as they can, so that the same
 * edit always looks the same. Touching hunks are one.
 */
export function diffLines(a: readonly string[], b: readonly string[]): Hunk[] {
  // Most of two versions is the same at both ends: only what lies between is looked at closely.
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  const ids = new Map<string, number>();
  const intern = (line: string): number => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  };
  const before = Int32Array.from(a.slice(start, aEnd), intern);
  const after = Int32Array.from(b.slice(start, bEnd), intern);
  const hunks: Hunk[] = [];
  compare(before, after, { aStart: 0, aEnd: before.length, bStart: 0, bEnd: after.length }, hunks);
  for (const hunk of hunks) {
    hunk.aStart += start;
    hunk.aEnd += start;
    hunk.bStart += start;
    hunk.bEnd += start;
  }
  return slideDown(joinTouching(hunks), a, b);
}

function compare(a: Int32Array, b: Int32Array, region: Hunk, into: Hunk[]): void {
  let { aStart, aEnd, bStart, bEnd } = region;
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart += 1;
    bStart += 1;
  }
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (aStart === aEnd && bStart === bEnd) return;
  const rest = { aStart, aEnd, bStart, bEnd };
  if (aStart === aEnd || bStart === bEnd) {
    into.push(rest);
    return;
  }
  const anchors = findAnchors(a, b, rest);
  if (anchors.length === 0) {
    compareByEdits(a, b, rest, into);
    return;
  }
  let left = { a: aStart, b: bStart };
  for (const anchor of anchors) {
    compare(a, b, { aStart: left.a, aEnd: anchor.a, bStart: left.b, bEnd: anchor.b }, into);
    left = { a: anchor.a + 1, b: anchor.b + 1 };
  }
  compare(a, b, { aStart: left.a, aEnd, bStart: left.b, bEnd }, into);
}

/** Lines that stand exactly once on either side of the region, as the longest run in the same order. */
function findAnchors(a: Int32Array, b: Int32Array, region: Hunk): { a: number; b: number }[] {
  const places = new Map<number, { inA: number; a: number; inB: number; b: number }>();
  for (let at = region.aStart; at < region.aEnd; at += 1) {
    const place = places.get(a[at] as number);
    if (place === undefined) places.set(a[at] as number, { inA: 1, a: at, inB: 0, b: -1 });
    else place.inA += 1;
  }
  for (let at = region.bStart; at < region.bEnd; at += 1) {
    const place = places.get(b[at] as number);
    if (place === undefined) continue;
    place.inB += 1;
    place.b = at;
  }
  const unique = [...places.values()].filter((place) => place.inA === 1 && place.inB === 1);
  return longestIncreasing(unique);
}

/** Patience: the longest subsequence (given in order of `a`) whose `b` rises. */
function longestIncreasing(pairs: readonly { a: number; b: number }[]): { a: number; b: number }[] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach((pair, index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] as number] as { b: number }).b < pair.b) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tops[low - 1] as number;
    tops[low] = index;
  });
  const found: { a: number; b: number }[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] as number)
    found.push(pairs[at] as { a: number; b: number });
  return found.reverse();
}

/** Myers' greedy algorithm with a kept trace; a region with too many edits is taken as rewritten. */
function compareByEdits(a: Int32Array, b: Int32Array, region: Hunk, into: Hunk[]): void {
  const n = region.aEnd - region.aStart;
  const m = region.bEnd - region.bStart;
  const limit = Math.min(n + m, MAX_EDITS);
  const offset = limit + 1;
  let frontier = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(frontier.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down =
        k === -edits || (k !== edits && (frontier[offset + k - 1] as number) < (frontier[offset + k + 1] as number));
      let x = down ? (frontier[offset + k + 1] as number) : (frontier[offset + k - 1] as number) + 1;
      while (x < n && x - k < m && x - k >= 0 && a[region.aStart + x] === b[region.bStart + x - k]) x += 1;
      frontier[offset + k] = x;
      if (x >= n && x - k >= m) {
        readTrace(trace, { edits, n, m, offset }, region, into);
        return;
      }
    }
  }
  frontier = new Int32Array(0);
  into.push({ ...region });
}

function readTrace(
  trace: readonly Int32Array[],
  end: { edits: number; n: number; m: number; offset: number },
  region: Hunk,
  into: Hunk[],
): void {
  const found: Hunk[] = [];
  let x = end.n;
  let y = end.m;
  for (let edits = end.edits; edits > 0; edits -= 1) {
    const frontier = trace[edits] as Int32Array;
    const k = x - y;
    const at = (diagonal: number): number => frontier[end.offset + diagonal] as number;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const fromX = down ? at(k + 1) : at(k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    const [aStart, bStart] = [region.aStart + fromX, region.bStart + fromY];
    found.push({ aStart, aEnd: aStart + (down ? 0 : 1), bStart, bEnd: bStart + (down ? 1 : 0) });
    x = fromX;
    y = fromY;
  }
  into.push(...found.reverse());
}

function joinTouching(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last !== undefined && last.aEnd === hunk.aStart && last.bEnd === hunk.bStart) {
      last.aEnd = hunk.aEnd;
      last.bEnd = hunk.bEnd;
    } else joined.push({ ...hunk });
  }
  return joined;
}

function slideDown(hunks: Hunk[], a: readonly string[], b: readonly string[]): Hunk[] {
  for (let index = hunks.length - 1; index >= 0; index -= 1) {
    const hunk = hunks[index] as Hunk;
    const next = hunks[index + 1];
    const insertion = hunk.aStart === hunk.aEnd;
    if (!insertion && hunk.bStart !== hunk.bEnd) continue;
    const text = insertion ? b : a;
    const other = insertion ? a : b;
    const room = (): boolean =>
      hunk.aEnd < (next?.aStart ?? a.length) &&
      hunk.bEnd < (next?.bStart ?? b.length) &&
      (insertion ? text[hunk.bStart] === text[hunk.bEnd] : text[hunk.aStart] === text[hunk.aEnd]) &&
      (insertion ? other[hunk.aEnd] === text[hunk.bEnd] : other[hunk.bEnd] === text[hunk.aEnd]);
    while (room()) {
      hunk.aStart += 1;
      hunk.aEnd += 1;
      hunk.bStart += 1;
      hunk.bEnd += 1;
    }
  }
  return joinTouching(hunks);
}
