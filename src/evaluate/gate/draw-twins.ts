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

/** Twins put into one file: more make a guess harder and cost a little time each. */
const PER_FILE = 4;

/**
 * Draws twins for one grading: at least one for every file that has any, each under a fresh name made of words that the
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
    const some = Math.min(candidates.length, PER_FILE, 1 + random.below(candidates.length));
    const many = all ? candidates.length : some;
    const names = new NameMaker(suite, path, file.content, random);
    const chosen = shuffled(candidates, random)
      .slice(0, many)
      .map((twin) => ({ twin, name: names.fresh(twin) }));
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

/** The file with each twin's text inserted under its name. */
export function spliceTwins(content: Buffer, twins: readonly { twin: SuiteTwin; name: string }[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { twin, name } of [...twins].sort((a, b) => a.twin.insertAt - b.twin.insertAt)) {
    const text = Buffer.from(twin.text);
    parts.push(content.subarray(at, twin.insertAt), text.subarray(0, twin.nameStart));
    parts.push(Buffer.from(name), text.subarray(twin.nameEnd));
    at = twin.insertAt;
  }
  return Buffer.concat([...parts, content.subarray(at)]);
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
