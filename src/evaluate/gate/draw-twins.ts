import type { Suite, SuiteTwin } from '#documents/suite.js';
import type { TestKey } from '#documents/test-identity.js';
import { type Random, shuffled } from '#kernel/random.js';
import type { PlainFile } from '#store/index.js';

/** A twin as it runs in one grading: under a name made for this grading. */
export interface DrawnTwin {
  /** Id in the suite. */
  id: string;
  /** Id of the test it was made from. */
  of: string;
  file: string;
  /** The run that its file belongs to. */
  run: string;
  name: string;
  /** The key under which its result comes. */
  key: TestKey;
}

/** Most twins put into one file: more make a guess harder and cost a little time each. */
const PER_FILE = 4;

/**
 * Draws twins for one grading: two for every file that has as many, up to four, each under a fresh name made of words that the
 * file's own tests are named with, so that neither name nor place tells it from a test.
 * @param all every twin at once, for trying them on the reference
 * @returns the twins, and the texts of the files that hold them
 */
export function drawTwins(
  suite: Suite,
  tests: ReadonlyMap<string, PlainFile>,
  random: Random,
  all = false,
): { twins: DrawnTwin[]; files: Map<string, PlainFile> } {
  const keys = new Map(suite.tests.map((test) => [test.id, test]));
  const files = new Map<string, PlainFile>();
  const drawn: DrawnTwin[] = [];
  for (const path of [...new Set(suite.twins.map((twin) => twin.file))].sort()) {
    const file = tests.get(path);
    const candidates = suite.twins.filter((twin) => twin.file === path && keys.has(twin.of));
    if (file === undefined || candidates.length === 0) continue;
    const some = Math.min(candidates.length, PER_FILE, 2 + random.below(candidates.length));
    const many = all ? candidates.length : some;
    const names = new NameMaker(suite, path, file.content, random);
    // Both places are taken where there are two twins: neither the first nor the last of two like tests is the true one.
    const first = random.below(2);
    const chosen = shuffled(candidates, random)
      .slice(0, many)
      .map((twin, index): PlacedTwin => {
        const before = (index < 2 ? first + index : random.below(2)) % 2 === 0;
        return { twin, name: names.fresh(twin), place: before ? 'before' : 'behind' };
      });
    files.set(path, { executable: file.executable, content: spliceTwins(file.content, chosen) });
    for (const { twin, name } of chosen) {
      const of = keys.get(twin.of);
      if (of === undefined) continue;
      const key: TestKey = { ...of.key, file: path, path: [...twin.path.slice(0, -1), name], ordinal: 0 };
      drawn.push({ id: twin.id, of: twin.of, file: path, run: of.run, name, key });
    }
  }
  return { twins: drawn, files };
}

export interface PlacedTwin {
  twin: SuiteTwin;
  name: string;
  /** In front of the test it was made from, or where the suite says (behind it). */
  place: 'before' | 'behind';
}

/**
 * The file with each twin's text inserted under its name. Code under test can read the file: if twins always came last, it
 * could tell them by that. Where the front of a test is not plainly the front of a statement, its twin stays behind.
 */
export function spliceTwins(content: Buffer, twins: readonly PlacedTwin[]): Buffer {
  const insertions = twins.map(({ twin, name, place }) => {
    const text = Buffer.from(twin.text);
    const named = Buffer.concat([text.subarray(0, twin.nameStart), Buffer.from(name), text.subarray(twin.nameEnd)]);
    const start = place === 'before' ? frontOf(content, twin, text) : null;
    if (start === null) return { at: twin.insertAt, bytes: named };
    const indent = content.subarray(content.lastIndexOf('\n', start - 1) + 1, start);
    const body = named.subarray(leadLength(text));
    return { at: start, bytes: Buffer.concat([body, Buffer.from('\n\n'), start === 0 ? Buffer.alloc(0) : indent]) };
  });
  const parts: Buffer[] = [];
  let at = 0;
  for (const insertion of insertions.sort((a, b) => a.at - b.at)) {
    parts.push(content.subarray(at, insertion.at), insertion.bytes);
    at = insertion.at;
  }
  return Buffer.concat([...parts, content.subarray(at)]);
}

/** Blanks and line ends that a twin's text begins with. */
function leadLength(text: Buffer): number {
  let at = 0;
  while (at < text.length && ' \t\r\n'.includes(String.fromCharCode(text[at] ?? 0))) at += 1;
  return at;
}

/** Where the test begins that a twin was made from; null where nothing may be put in front of it. */
function frontOf(content: Buffer, twin: SuiteTwin, text: Buffer): number | null {
  const head = text.subarray(leadLength(text), twin.nameEnd);
  const start = twin.insertAt === 0 ? -1 : content.lastIndexOf(head, twin.insertAt - 1);
  if (start < 0) return null;
  const before = content.toString('latin1', 0, start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() !== '') return null;
  const above = before.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return /^@|[\\,([=+\-&|?.]$/.test(above) ? null : start;
}

/** Makes names after the manner of a file's own. */
class NameMaker {
  private readonly taken: Set<string>;
  private readonly words: string[];

  constructor(
    suite: Suite,
    file: string,
    private readonly content: Buffer,
    private readonly random: Random,
  ) {
    const own = suite.tests.filter((test) => test.key.file === file).map((test) => test.key.path.at(-1) ?? '');
    this.taken = new Set(own);
    this.words = [...new Set(own.flatMap((name) => wordsOf(name).slice(1)))];
  }

  fresh(twin: SuiteTwin): string {
    const model = twin.path.at(-1) ?? '';
    const joint = twin.naming === 'identifier' ? '_' : ' ';
    const [first = 'test', ...rest] = wordsOf(model);
    const pool = this.words.length > 0 ? this.words : ['value', 'case', 'again'];
    for (let length = Math.max(1, rest.length); ; length += 1) {
      for (let tries = 0; tries < 8; tries += 1) {
        const picked = Array.from({ length }, () => pool[this.random.below(pool.length)] as string);
        const name = [first, ...picked].join(joint);
        if (this.taken.has(name) || this.content.includes(name)) continue;
        this.taken.add(name);
        return name;
      }
    }
  }
}

/** Words that are safe in an identifier and inside any string literal. */
function wordsOf(name: string): string[] {
  return name
    .replace(/\[.*$/s, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}
