import { languageOf, SyntaxTree, type WrittenTest, writtenTests } from '#languages/index.js';
import type { StageMaterial, StageTest } from './material.js';

/** F2P tests that are one as written: cases of one parametrised test, or one test alone. */
export interface TestGroup {
  /** Titles or names from the outside in, without what cases add. */
  path: string[];
  tests: StageTest[];
  /** Where it is written; null where it was not found. */
  written: { tree: SyntaxTree; test: WrittenTest } | null;
}

/** Groups the stage's F2P tests by how they are written, in the order of files and of their places there. */
export async function groupTests(material: StageMaterial): Promise<TestGroup[]> {
  const groups: TestGroup[] = [];
  for (const file of [...new Set(material.f2p.map(({ key }) => key.file))].sort()) {
    const tests = material.f2p.filter(({ key }) => key.file === file);
    const source = material.tests.get(file);
    const tree = source === undefined ? undefined : await languageOf(file)?.parse(source);
    const written = tree instanceof SyntaxTree ? writtenTests(tree) : [];
    const left = new Set(tests);
    for (const test of written) {
      const own = [...left].filter(({ key }) => test.matches(key.path));
      if (own.length === 0 || !(tree instanceof SyntaxTree)) continue;
      for (const one of own) left.delete(one);
      groups.push({ path: test.path, tests: own, written: { tree, test } });
    }
    groups.push(...unwrittenGroups([...left]));
  }
  return groups;
}

/** Tests made by loops or macros: those whose titles differ in brackets or numbers only are one. */
function unwrittenGroups(tests: readonly StageTest[]): TestGroup[] {
  const byTitle = new Map<string, TestGroup>();
  for (const test of tests) {
    const path = test.key.path.map((part) => part.replace(/\[.*\]$/s, ''));
    const title = JSON.stringify(path.map((part) => part.replace(/\d+/g, '0')));
    const group = byTitle.get(title) ?? { path, tests: [], written: null };
    byTitle.set(title, group);
    group.tests.push(test);
  }
  return [...byTitle.values()];
}
