import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { analyseHistory, type History, type HistoryCommit } from '#construct/history/index.js';
import { silentProgress } from '#kernel/events.js';
import { type CommitScript, scriptHistory } from './script-history.js';

/** The analysed history of a script, with the ids of its commits by mark. */
export type ScriptedHistory = History & { ids: string[] };

/** Writes the history below a folder and analyses it in the present thread. */
export async function analyseScript(
  folder: string,
  script: readonly CommitScript[],
  cacheFolder: string | null = null,
): Promise<ScriptedHistory> {
  const gitDir = join(await mkdtemp(join(folder, 'script-')), 'repository');
  const ids = scriptHistory(gitDir, script);
  return { ...(await analyseHistory(gitDir, { cacheFolder, workers: 0 }, silentProgress)), ids };
}

/** The commit with a mark, counted from 1. */
export function commitAt(history: ScriptedHistory, mark: number): HistoryCommit {
  const commit = history.commits[history.indexOf.get(history.ids[mark] ?? '') ?? -1];
  if (commit === undefined) throw new Error(`no commit with mark ${mark}`);
  return commit;
}
