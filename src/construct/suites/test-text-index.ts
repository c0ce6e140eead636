import { type TestKey, testId } from '#documents/test-identity.js';
import type { Repository, TreeFiles } from '#git/index.js';
import { languageOf, parseSource } from '#languages/index.js';
import { findWrittenTests, writtenPath } from './test-texts.js';

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
    const written = await writtenTexts(path, await repository.readBlob(file.oid));
    for (const key of held)
      texts.set(testId(key), written.get(JSON.stringify(writtenPath(key.path))) ?? `file:${file.oid}`);
  }
  return (id) => texts.get(id) ?? null;
}

async function writtenTexts(path: string, source: Buffer): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const language = languageOf(path);
  if (language === null) return texts;
  const tree = await parseSource(language.name, source);
  if ('unparsed' in tree) return texts;
  for (const test of findWrittenTests(tree)) {
    const key = JSON.stringify(test.path);
    // Tests of equal name share their texts, so that a change of either shows.
    texts.set(key, (texts.get(key) ?? '') + source.toString('latin1', test.start, test.end));
  }
  return texts;
}
