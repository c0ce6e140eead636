import type { Repository, TreeFile } from '#git/index.js';
import { diffLines, splitLines } from './diff-lines.js';
import { isText } from './text.js';

/** The lines that differ between two versions of a file; every line where one is missing, none where one is no text. */
export async function changedLines(
  repository: Repository,
  before: TreeFile | null,
  after: TreeFile | null,
): Promise<{ added: string[]; removed: string[] }> {
  const [old, now] = [await linesOf(repository, before), await linesOf(repository, after)];
  if (old === null || now === null) return { added: [], removed: [] };
  const added: string[] = [];
  const removed: string[] = [];
  for (const hunk of diffLines(old, now)) {
    removed.push(...old.slice(hunk.aStart, hunk.aEnd));
    added.push(...now.slice(hunk.bStart, hunk.bEnd));
  }
  return { added, removed };
}

async function linesOf(repository: Repository, file: TreeFile | null): Promise<string[] | null> {
  if (file === null) return [];
  if (file.mode === '160000') return null;
  const content = await repository.readBlob(file.oid);
  return isText(content) ? splitLines(content) : null;
}
