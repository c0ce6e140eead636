import { type TestKey, testId } from '#documents/test-identity.js';
import type { Repository, TreeFiles } from '#git/index.js';
import { languageOf, parseSource, type WrittenTest, writtenTests } from '#languages/index.js';

/**
 * Text of every test of a state, by test id: as written where it can be found, else `file:<blob id>`, so that a test that
 * cannot be told apart counts as unchanged only where its whole file is. Null for a test whose file is not there.
 */
export async function indexTestTexts(
  repository: Repository,
  state: TreeFiles,
  keys: Iterable<TestKey>,
): Promise<(id: string) => string | null> {
  const byFile = new Map<string, TestKey[]>();
  for (const key of keys) byFile.set(key.file, [...(byFile.get(key.file) ?? []), key]);
  const texts = new Map<string, string>();
  for (const [path, held] of byFile) {
    const file = state.get(path);
    if (file === undefined) continue;
    const source = await repository.readBlob(file.oid);
    const written = await testsWritten(path, source);
    for (const key of held) {
      // Tests of equal name share their texts, so that a change of either shows.
      const own = written.filter((test) => test.matches(key.path));
      const text = own.map(({ start, end }) => source.toString('latin1', start, end)).join('');
      texts.set(testId(key), own.length > 0 ? text : `file:${file.oid}`);
    }
  }
  return (id) => texts.get(id) ?? null;
}

async function testsWritten(path: string, source: Buffer): Promise<WrittenTest[]> {
  const language = languageOf(path);
  if (language === null) return [];
  const tree = await parseSource(language.name, source);
  return 'unparsed' in tree ? [] : writtenTests(tree);
}
