import { startProcess } from '#process/index.js';
import { BatchChannel, gitFault } from './batch-channel.js';
import { BatchParser } from './object-reader.js';
import { RawDiffParser, type RawRecord } from './raw-diff-parser.js';
import { type GitPlace, gitArgv, gitEnvironment } from './run-git.js';

/**
 * `similar` needs every blob; `exact` and `none` need none. More than `RENAME_LIMIT` squared pairs of added and
 * deleted files in one commit are compared by equal content only.
 */
export type RenameMode = 'similar' | 'exact' | 'none';

export const RENAME_LIMIT = 1000;

export interface RawWalkSink {
  /** A commit in git's order (children first), with its parents as git sees them. */
  commit(id: string, parents: string[]): void;
  /** The commit object's bytes; valid only during the call. */
  content(id: string, bytes: Buffer): void;
  /** A record of a commit's diff against its first parent (against nothing for a root). */
  record(commit: string, record: RawRecord): void;
}

export interface RawWalkRequest {
  /** Full id of the newest commit. */
  head: string;
  renames: RenameMode;
  signal?: AbortSignal;
}

const DIFF_FLAGS = [
  'diff-tree',
  '--stdin',
  '--always',
  '-r',
  '-z',
  '--raw',
  '--no-abbrev',
  '--root',
  '--ignore-submodules=none',
];

const RENAME_FLAGS: Record<RenameMode, string[]> = {
  none: ['--no-renames'],
  exact: ['-M100%', `-l${RENAME_LIMIT}`],
  similar: ['-M', `-l${RENAME_LIMIT}`],
};

/**
 * Reads every commit that `head` reaches: graph, commit objects and first-parent diffs, from four git processes that
 * run side by side. Merges are compared with their first parent without looking for renames: their branches tell.
 * The processes must agree on the number of commits, so a stream that dies in the middle is never taken for the end.
 * @returns the number of commits
 * @throws Fault `git-failed` (input) with git's own words, `git-stream-short` (input)
 */
export async function walkRaw(place: GitPlace, request: RawWalkRequest, sink: RawWalkSink): Promise<number> {
  const channels: BatchChannel[] = [];
  const kill = async (): Promise<void> => {
    for (const channel of channels) await channel.kill();
  };
  const onAbort = (): void => void kill();
  request.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const opened = await Promise.all([
      openDiff(place, 'diff-tree', RENAME_FLAGS[request.renames], sink),
      openDiff(place, 'diff-tree of merges', RENAME_FLAGS.none, sink),
      openCommits(place, sink),
    ]);
    channels.push(...opened);
    const [plain, merges, objects] = opened;
    const commits = await readGraph(place, request.head, {
      commit: (id, parents) => {
        sink.commit(id, parents);
        objects.ask(`${id}\n`);
        if (parents.length > 1) merges.ask(`${id} ${parents[0]}\n`);
        else plain.ask(`${id}\n`);
      },
      chunkEnd: () => {
        for (const channel of channels) channel.flush();
      },
    });
    for (const channel of channels) await channel.finish();
    return commits;
  } catch (thrown) {
    request.signal?.throwIfAborted();
    throw thrown;
  } finally {
    request.signal?.removeEventListener('abort', onAbort);
    await kill();
  }
}

async function openDiff(
  place: GitPlace,
  name: string,
  flags: readonly string[],
  sink: RawWalkSink,
): Promise<BatchChannel> {
  let commit = '';
  let answered = 0;
  const parser = new RawDiffParser({
    commit: (id) => {
      commit = id;
      answered += 1;
    },
    record: (record) => sink.record(commit, record),
  });
  return BatchChannel.open(place, {
    name,
    args: [...DIFF_FLAGS, ...flags],
    onStdout: (chunk) => parser.push(chunk),
    answered: () => (parser.isComplete ? answered : -1),
  });
}

async function openCommits(place: GitPlace, sink: RawWalkSink): Promise<BatchChannel> {
  let answered = 0;
  const parser = new BatchParser();
  return BatchChannel.open(place, {
    name: 'cat-file',
    args: ['cat-file', '--batch', '--buffer'],
    onStdout: (chunk) => {
      for (const object of parser.push(chunk)) {
        if (object === null) continue;
        answered += 1;
        sink.content(object.oid, object.content);
      }
    },
    answered: () => answered,
  });
}

interface GraphListener {
  commit(id: string, parents: string[]): void;
  chunkEnd(): void;
}

async function readGraph(place: GitPlace, head: string, listener: GraphListener): Promise<number> {
  let held = '';
  let commits = 0;
  const running = await startProcess({
    argv: gitArgv(place, ['rev-list', '--parents', head, '--']),
    env: gitEnvironment(place),
    onStdout: (chunk) => {
      const lines = (held + chunk.toString('latin1')).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) {
        const [id = '', ...parents] = line.split(' ');
        commits += 1;
        listener.commit(id, parents);
      }
      listener.chunkEnd();
    },
  });
  const result = await running.ended;
  if (result.exitCode !== 0 || held !== '') throw gitFault(place, 'rev-list', result);
  return commits;
}
