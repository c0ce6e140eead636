import type { Repository } from '#git/index.js';
import { findFlaw } from './check-code.js';
import { joinLines, splitLines } from './diff-lines.js';
import { type Chapter, storyOf } from './file-story.js';
import type { PathHistory } from './locate-files.js';
import { mergeLines, settledLines } from './merge-lines.js';
import type { Overlap, Resolution, Resolver } from './resolver.js';
import { chainCommits, type Stage } from './stages.js';
import { isText, showHunk } from './text.js';
import { type Weave, type WeaveVersion, weave } from './weave.js';

export interface LineageTools {
  repository: Repository;
  stages: readonly Stage[];
  history(): Promise<PathHistory | null>;
}

/**
 * Follows every line of the file through history: lines that the stage's commits wrote go, with what later work wrote
 * into them; lines that they removed come back; everything else stays. An edit that is part the feature's and part
 * somebody else's is left undecided; with `likeness` it is told apart line by line by what each line is like.
 */
export function lineageResolver(tools: LineageTools, likeness: boolean): Resolver {
  const positions = new Map(chainCommits(tools.stages).map(({ commit }, position) => [commit.oid, position]));
  const woven = new Map<string, Promise<Weave | string>>();
  return {
    layer: likeness ? 'likeness' : 'lineage',
    resolve: async (overlap) => {
      const history = await tools.history();
      const { commit } = overlap.context;
      const step = history?.stepOf(commit.oid) ?? null;
      if (history === null || step === null)
        return undecided('the chain lies on parallel branches: lines cannot be followed');
      const story = storyOf(history, step, overlap.context.patchPath);
      const key = story.map(({ oid, step: at }) => `${at}:${oid}`).join(' ');
      const found =
        woven.get(key) ??
        readVersions(tools.repository, story, history, positions).then((versions) =>
          typeof versions === 'string' ? versions : weave(versions, likeness),
        );
      woven.set(key, found);
      const lines = await found;
      return typeof lines === 'string' ? undecided(lines) : decide(lines, overlap);
    },
  };
}

async function readVersions(
  repository: Repository,
  story: readonly Chapter[],
  history: PathHistory,
  positions: ReadonlyMap<string, number>,
): Promise<WeaveVersion[] | string> {
  const versions: WeaveVersion[] = [];
  for (const { step, oid } of story) {
    const object = oid === null ? null : await repository.read(oid);
    if (oid !== null && (object === null || object.type !== 'blob')) return 'a version of the file is not in the clone';
    if (object !== null && !isText(object.content)) return 'a version of the file is binary or huge';
    const position = positions.get(history.steps[step]?.commit ?? '') ?? null;
    versions.push({ lines: object === null ? null : splitLines(object.content), position });
  }
  return versions;
}

async function decide(lines: Weave, { ours, theirs, context }: Overlap): Promise<Resolution> {
  const without = lines.without(context.position);
  if ('entangled' in without)
    return {
      kind: 'undecided',
      why: 'later work rewrote lines of the stage together with others',
      hunk: showHunk(without.entangled, '  line    | ').join('\n'),
    };
  const explained = lines.adoptedBy(context.position);
  const adopted = explained.length === 0 ? '' : `, with ${explained.length} line(s) that later work wrote into them`;
  const why = `the lines that the commit wrote are gone${adopted}`;
  const now = ours === null ? null : splitLines(ours);
  // What later work wrote into a file that came with the commit goes with the file.
  if (without.lines === null) return { kind: 'delete', why: 'the file came with the commit', explained: now ?? [] };
  const above = lines.without(context.position + 1);
  if (ours === null || now === null || 'entangled' in above || above.lines === null)
    return undecided('the file at hand is not the one that history tells of');
  const merged = settledLines(mergeLines({ base: above.lines, ours: now, theirs: without.lines }, 'apart'));
  if (merged === null) return undecided('the file at hand differs from the one that history tells of');
  const bytes = joinLines(merged);
  const flaw = await findFlaw(context.patchPath, { before: ours, after: bytes, history: theirs });
  return flaw === null ? { kind: 'bytes', bytes, why, explained } : undecided(flaw);
}

function undecided(why: string): Resolution {
  return { kind: 'undecided', why, hunk: null };
}
