import type { SuiteTwin } from '#documents/suite.js';
import { type TestKey, testId } from '#documents/test-identity.js';
import type { TreeFiles } from '#git/index.js';
import { languageOf, parseSource } from '#languages/index.js';
import type { ClassifiedTest } from './classify-tests.js';
import { makeTwins } from './make-twins.js';
import { runOnTree, type SuiteBench } from './run-on-tree.js';

/** Twins kept per hidden file; a grading draws from them. */
const TWINS_PER_FILE = 6;
/** The name under which a candidate is tried. */
const TRIAL = 'twin_trial';

/**
 * Makes twins for the tests of a suite and keeps those that load and fail, as failures of their own, on the reference.
 * F2P tests are taken before P2P tests; files without a usable twin simply have none.
 */
export async function validatedTwins(
  bench: SuiteBench,
  reference: TreeFiles,
  tests: readonly ClassifiedTest[],
): Promise<SuiteTwin[]> {
  const candidates = await twinCandidates(bench, reference, tests);
  if (candidates.length === 0) return [];
  const tree = new Map(reference);
  const trialIds = new Map<string, SuiteTwin>();
  const keys = new Map(tests.map(({ id, observed }) => [id, observed.key]));
  for (const file of new Set(candidates.map((twin) => twin.file))) {
    const held = reference.get(file);
    if (held === undefined) continue;
    const source = await bench.repository.readBlob(held.oid);
    const inFile = candidates.filter((twin) => twin.file === file);
    const named = inFile.map((twin, index) => ({ twin, name: trialName(twin, index) }));
    for (const { twin, name } of named) {
      const made = keys.get(twin.of);
      if (made !== undefined) trialIds.set(testId(twinKey(made, twin, name)), twin);
    }
    tree.set(file, { mode: held.mode, oid: await bench.repository.writeBlob(spliceTwins(source, named)) });
  }
  const files = [...new Set(candidates.map((twin) => twin.file))].sort();
  const result = await runOnTree(bench, tree, files, { order: { kind: 'listed' }, clockDays: 0 });
  const failing = new Set(
    result.tests.filter((test) => test.status === 'fail').map((test) => trialIds.get(testId(test.key))),
  );
  const kept = candidates.filter((twin) => failing.has(twin));
  const count = new Map<string, number>();
  return kept.filter((twin) => {
    const seen = count.get(twin.file) ?? 0;
    count.set(twin.file, seen + 1);
    return seen < TWINS_PER_FILE;
  });
}

/** Under which key a twin's result comes: that of the test it was made from (its project too), by another name. */
export function twinKey(of: TestKey, twin: Pick<SuiteTwin, 'path'>, name: string): TestKey {
  return { ...of, path: [...twin.path.slice(0, -1), name], ordinal: 0 };
}

async function twinCandidates(
  bench: SuiteBench,
  reference: TreeFiles,
  tests: readonly ClassifiedTest[],
): Promise<SuiteTwin[]> {
  const byFile = new Map<string, ClassifiedTest[]>();
  for (const test of tests) {
    const { file, ordinal } = test.observed.key;
    if (ordinal === 0) byFile.set(file, [...(byFile.get(file) ?? []), test]);
  }
  const candidates: SuiteTwin[] = [];
  for (const [path, held] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const language = languageOf(path);
    const file = reference.get(path);
    if (language === null || file === undefined) continue;
    const tree = await parseSource(language.name, await bench.repository.readBlob(file.oid));
    if ('unparsed' in tree) continue;
    const made = makeTwins(tree, path, new Map(held.map((test) => [JSON.stringify(test.observed.key.path), test.id])));
    const f2p = new Set(held.filter((test) => test.kind === 'f2p').map((test) => test.id));
    candidates.push(...made.sort((a, b) => Number(f2p.has(b.of)) - Number(f2p.has(a.of))).slice(0, 2 * TWINS_PER_FILE));
  }
  return candidates;
}

function trialName(twin: SuiteTwin, index: number): string {
  return twin.naming === 'identifier' ? `test_${TRIAL}_${index}` : `${TRIAL} ${index}`;
}

/** The file's text with twins put in, each under its given name (already escaped for where it stands). */
function spliceTwins(source: Buffer, twins: readonly { twin: SuiteTwin; name: string }[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { twin, name } of [...twins].sort((a, b) => a.twin.insertAt - b.twin.insertAt)) {
    const text = Buffer.from(twin.text);
    parts.push(
      source.subarray(at, twin.insertAt),
      text.subarray(0, twin.nameStart),
      Buffer.from(name),
      text.subarray(twin.nameEnd),
    );
    at = twin.insertAt;
  }
  return Buffer.concat([...parts, source.subarray(at)]);
}
