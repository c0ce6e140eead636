import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A distinctive line of the reference that stands in the environment. */
export interface SolutionTrace {
  file: string;
  line: string;
  stage: number;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** One line may be a coincidence of common code; so many of one stage in one file are not. */
const TRACE_LINES = 3;

/**
 * Searches an environment's content for the solution: files holding several distinctive lines of one stage.
 * @param distinctive per stage, trimmed lines that the stage added and that stand nowhere before it
 */
export async function findSolution(
  folder: string,
  distinctive: readonly (readonly string[])[],
): Promise<SolutionTrace[]> {
  const stageOf = new Map<string, number>();
  distinctive.forEach((lines, stage) => {
    for (const line of lines) if (!stageOf.has(line)) stageOf.set(line, stage);
  });
  const traces: SolutionTrace[] = [];
  if (stageOf.size === 0) return traces;
  const search = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) await search(inner);
      else if (entry.isFile() && (await stat(inner)).size <= MAX_FILE_BYTES)
        traces.push(...tracesIn(await readFile(inner), inner.slice(folder.length + 1), stageOf));
    }
  };
  await search(folder);
  return traces;
}

function tracesIn(content: Buffer, file: string, stageOf: ReadonlyMap<string, number>): SolutionTrace[] {
  const found = new Map<string, SolutionTrace>();
  for (const raw of content.toString('utf8').split('\n')) {
    const line = raw.trim();
    const stage = stageOf.get(line);
    if (stage !== undefined) found.set(line, { file, line, stage });
  }
  const traces = [...found.values()];
  return traces.filter(({ stage }) => traces.filter((other) => other.stage === stage).length >= TRACE_LINES);
}
