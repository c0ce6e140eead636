import { diffTrees, type Repository, type TreeFile, type TreeFiles } from '#git/index.js';
import { classifyPath } from '#languages/index.js';

/** How large a stage's reference change is. */
export interface StageFigures {
  /** Lines that stand in the state after the stage and not in the one before, in source and in test files. */
  sourceLines: number;
  testLines: number;
  /** Changed source files. */
  sourceFiles: number;
  /** Share of them that earlier stages changed too; null for the first stage and where there are none. */
  sharedFileShare: number | null;
}

/** Measures every stage from the states before and after it. */
export async function measureStages(
  repository: Repository,
  states: readonly { files: TreeFiles }[],
): Promise<StageFigures[]> {
  const figures: StageFigures[] = [];
  const earlier = new Set<string>();
  for (const [index, state] of states.slice(0, -1).entries()) {
    const own = new Set<string>();
    const lines = { source: 0, test: 0 };
    for (const { path, before, after } of diffTrees(state.files, states[index + 1]?.files ?? new Map())) {
      const role = classifyPath(path);
      if (role === 'source') own.add(path);
      if (role === 'source' || role === 'test') lines[role] += await newLines(repository, before, after);
    }
    const shared = [...own].filter((path) => earlier.has(path)).length;
    figures.push({
      sourceLines: lines.source,
      testLines: lines.test,
      sourceFiles: own.size,
      sharedFileShare: index === 0 || own.size === 0 ? null : shared / own.size,
    });
    for (const path of own) earlier.add(path);
  }
  return figures;
}

/** Lines of the new version that the old one has not (as a multiset, so that a moved line is not new). */
async function newLines(repository: Repository, before: TreeFile | null, after: TreeFile | null): Promise<number> {
  const counts = new Map<string, number>();
  for (const line of await linesOf(repository, before)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let fresh = 0;
  for (const line of await linesOf(repository, after)) {
    const count = counts.get(line) ?? 0;
    if (count === 0) fresh += 1;
    else counts.set(line, count - 1);
  }
  return fresh;
}

async function linesOf(repository: Repository, file: TreeFile | null): Promise<string[]> {
  if (file === null || file.mode === '160000') return [];
  const content = await repository.readBlob(file.oid);
  return content.includes(0) ? [] : (content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []);
}
