import { diffTrees, type Repository } from '#git/index.js';
import { isDistinctive, LineCensus, namesIn } from './line-census.js';
import type { ReferenceStates } from './rebuild-states.js';
import { changedLines } from './written-lines.js';

/** The stage's reference change as a git patch: full ids, binary files whole, so that it applies anywhere. */
export async function referencePatch(repository: Repository, before: string, after: string): Promise<Buffer> {
  const patch = await repository.git({
    args: [
      ...['diff-tree', '-r', '-p', '--binary', '--full-index', '-M', '--no-color', '--no-ext-diff', '--no-textconv'],
      ...['--src-prefix=a/', '--dst-prefix=b/', before, after],
    ],
  });
  return patch.stdout;
}

/** A line that gives a later stage away where it is found before that stage. */
export interface DistinctiveLine {
  /** Without indentation and line end; one character a byte. */
  text: string;
  stage: number;
  /** Path key of the file that the stage adds it to. */
  path: string;
}

/**
 * Lines that stage `from` and later ones add, that stand nowhere in S_from and that use a name which S_from has not (or
 * are long): none of them may be anywhere that an agent working on stage `from` can read.
 */
export async function distinctiveLines(
  repository: Repository,
  { states }: Pick<ReferenceStates, 'states'>,
  from: number,
): Promise<DistinctiveLine[]> {
  const found = new Map<string, DistinctiveLine>();
  for (let stage = from; stage < states.length - 1; stage += 1) {
    const [now, next] = [states[stage], states[stage + 1]];
    if (now === undefined || next === undefined) continue;
    for (const { path, before, after } of diffTrees(now.files, next.files)) {
      for (const line of (await changedLines(repository, before, after)).added) {
        const text = line.trim();
        if (isDistinctive(text) && !found.has(text)) found.set(text, { text, stage, path });
      }
    }
  }
  const start = states[from];
  if (start === undefined) return [];
  const standing = await new LineCensus(repository, new Set(found.keys())).places(start.files);
  const fresh = [...found.values()].filter(({ text }) => !standing.has(text));
  const names = new Set(fresh.flatMap(({ text }) => namesIn(text)));
  const known = await new LineCensus(repository, names, namesIn).places(start.files);
  return fresh.filter(({ text }) => text.length >= LONG || namesIn(text).some((name) => !known.has(name)));
}

/** A line of old names alone, such as the head of a common method, may stand anywhere; a long one hardly does. */
const LONG = 60;
