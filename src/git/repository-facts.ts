import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';
import type { Repository } from './repository.js';

/** What has to be known of a repository before its history can be trusted. */
export interface RepositoryFacts {
  gitDir: string;
  /** Where objects and refs are: differs from `gitDir` in a linked worktree. */
  commonDir: string;
  /** Full id of HEAD's commit; null where there is none yet. */
  head: string | null;
  /** The past was cut off when cloning: some parents are not there. */
  isShallow: boolean;
  /** Objects may have been left out when cloning; they would be fetched on demand, which never happens here. */
  mayLackObjects: boolean;
  gitVersion: string;
}

/** Reads the facts without changing anything. */
export async function readRepositoryFacts(repository: Repository): Promise<RepositoryFacts> {
  const { gitDir } = repository.place;
  const parsed = await repository.git({ args: ['rev-parse', '--is-shallow-repository', '--git-common-dir'] });
  const [shallow = '', common = ''] = parsed.stdout.toString('utf8').trimEnd().split('\n');
  const commonDir = resolve(gitDir, common);
  const head = await repository.git({
    args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'],
    accept: [0, 1, 128],
  });
  const version = await repository.git({ args: ['version'] });
  return {
    gitDir,
    commonDir,
    head: head.exitCode === 0 ? head.stdout.toString('latin1').trim() : null,
    isShallow: shallow === 'true',
    mayLackObjects: (await hasPromisedPacks(join(commonDir, 'objects', 'pack'))) || (await hasPromisor(repository)),
    gitVersion: version.stdout
      .toString('utf8')
      .trim()
      .replace(/^git version /, ''),
  };
}

async function hasPromisedPacks(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).some((name) => name.endsWith('.promisor'));
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

async function hasPromisor(repository: Repository): Promise<boolean> {
  const found = await repository.git({
    args: ['config', '--get-regexp', '^(extensions[.]partialclone|remote[.].*[.](promisor|partialclonefilter))$'],
    accept: [0, 1],
  });
  return found.exitCode === 0;
}

/** Which of the objects the repository lacks: one listing of everything it holds, however many are asked for. */
export async function missingObjects(repository: Repository, wanted: Iterable<string>): Promise<string[]> {
  const held = new Set<string>();
  let rest = '';
  await repository.git({
    args: ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'],
    onStdout: (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) held.add(line);
    },
  });
  return [...wanted].filter((oid) => !held.has(oid));
}
