import type { SuiteTest } from '#documents/suite.js';
import { diffTrees, type Repository, type TreeFile, type TreeFiles } from '#git/index.js';
import { certain } from '#kernel/faults.js';
import { classifyPath, languageOf } from '#languages/index.js';
import { collectWorkspaceNames, type StageMaterial } from './specs/index.js';

export interface MaterialSource {
  repository: Repository;
  /** Files of S_0..S_n. */
  states: readonly TreeFiles[];
  /** Per stage: messages of its commits and the tests of its suite. */
  stages: readonly { messages: readonly string[]; tests: readonly Pick<SuiteTest, 'id' | 'key' | 'kind'>[] }[];
  isSuiteFile(path: string): boolean;
}

/** What spec writing and the scans know of every stage, from the states and suites of a task. */
export async function stageMaterials(source: MaterialSource): Promise<StageMaterial[]> {
  const { repository, states, stages, isSuiteFile } = source;
  const initial = certain(states[0], 'S_0');
  const workspace = await collectWorkspaceNames(contents(repository, initial));
  const materials: StageMaterial[] = [];
  for (const [stage, { messages, tests }] of stages.entries()) {
    const before = certain(states[stage], 'state before the stage');
    const after = certain(states[stage + 1], 'state after the stage');
    const changes = diffTrees(before, after);
    const sources = changes.filter(({ path }) => !isSuiteFile(path) && languageOf(path) !== null);
    const prose = changes.filter(({ path }) => classifyPath(path) === 'docs');
    const f2p = tests.filter(({ kind }) => kind === 'f2p').map(({ id, key }) => ({ id, key }));
    // Helpers that an earlier stage brought are hidden from the agent as well, so all that S_0 lacks count.
    const hidden = diffTrees(initial, after).filter(({ path }) => isSuiteFile(path) && languageOf(path) !== null);
    const testFiles = new Set([...f2p.map(({ key }) => key.file), ...hidden.map(({ path }) => path)]);
    materials.push({
      stage,
      before: await readAll(
        repository,
        sources.map(({ path, before: file }) => [path, file]),
      ),
      after: await readAll(
        repository,
        sources.map(({ path, after: file }) => [path, file]),
      ),
      tests: await readAll(
        repository,
        [...testFiles].sort().map((path) => [path, after.get(path) ?? null]),
      ),
      f2p,
      messages,
      docs: await Promise.all(
        prose.map(async ({ path, before: old, after: now }) => ({
          path,
          before: await readOrEmpty(repository, old),
          after: await readOrEmpty(repository, now),
        })),
      ),
      workspace,
    });
  }
  return materials;
}

async function* contents(repository: Repository, files: TreeFiles): AsyncGenerator<readonly [string, Buffer]> {
  for (const [path, file] of files) if (isContent(file)) yield [path, await repository.readBlob(file.oid)];
}

async function readAll(
  repository: Repository,
  entries: readonly (readonly [string, TreeFile | null])[],
): Promise<Map<string, Buffer>> {
  const held = new Map<string, Buffer>();
  for (const [path, file] of entries)
    if (file !== null && isContent(file)) held.set(path, await repository.readBlob(file.oid));
  return held;
}

function readOrEmpty(repository: Repository, file: TreeFile | null): Promise<Buffer> {
  return file !== null && isContent(file) ? repository.readBlob(file.oid) : Promise.resolve(Buffer.alloc(0));
}

/** Links and submodules have no text of their own. */
function isContent(file: TreeFile): boolean {
  return file.mode === '100644' || file.mode === '100755';
}
