import type { PathHistory } from './locate-files.js';

/** A content that a file had on the way. */
export interface Chapter {
  /** Step of the path; -1 is what stood there before the first. */
  step: number;
  /** Blob; null where the file is not there. */
  oid: string | null;
}

/** Every content that the file at `path` after `step` had, from before the chain's first commit to the checkpoint. */
export function storyOf(history: PathHistory, step: number, path: string): Chapter[] {
  const earlier: Chapter[] = [];
  let at: string = path;
  for (let index = step; index >= 0; index -= 1) {
    const change = history.changes[index]?.find((one) => (one.after?.path ?? one.before?.path) === at);
    if (change === undefined) continue;
    earlier.push({ step: index, oid: change.after?.oid ?? null });
    if (index === 0 || !earlierChange(history, index, change.before?.path ?? at)) {
      earlier.push({ step: -1, oid: change.before?.oid ?? null });
      break;
    }
    at = change.before?.path ?? at;
  }
  const chapters = earlier.reverse();
  at = path;
  for (let index = step + 1; index < history.changes.length; index += 1) {
    const change = history.changes[index]?.find((one) => (one.before?.path ?? one.after?.path) === at);
    if (change === undefined) continue;
    chapters.push({ step: index, oid: change.after?.oid ?? null });
    at = change.after?.path ?? at;
  }
  return chapters;
}

function earlierChange(history: PathHistory, before: number, path: string): boolean {
  for (let index = before - 1; index >= 0; index -= 1)
    if (history.changes[index]?.some((one) => (one.after?.path ?? one.before?.path) === path)) return true;
  return false;
}
