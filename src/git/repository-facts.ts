import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';
import { readTextIfAny } from '#store/index.js';
import { byLines, heldObjects } from './held-objects.js';
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
  const [parsed, version] = await Promise.all([
    // Without a commit the last name cannot be resolved; what comes before it is printed all the same.
    repository.git({
      args: ['rev-parse', '--is-shallow-repository', '--git-common-dir', 'HEAD^{commit}'],
      accept: [0, 128],
    }),
    repository.git({ args: ['version'] }),
  ]);
  const [shallow = '', common = '', head = ''] = parsed.stdout.toString('utf8').trimEnd().split('\n');
  const commonDir = resolve(gitDir, common);
  const [hasPacks, hasRemote] = await Promise.all([
    hasPromisedPacks(join(commonDir, 'objects', 'pack')),
    hasPromisor(join(commonDir, 'config')),
  ]);
  return {
    gitDir,
    commonDir,
    head: parsed.exitCode === 0 ? head : null,
    isShallow: shallow === 'true',
    mayLackObjects: hasPacks || hasRemote,
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

/** The repository's own configuration names a remote that promises what is left out. */
async function hasPromisor(configFile: string): Promise<boolean> {
  return /^\s*(?:promisor\s*=\s*true|partialclone(?:filter)?\s*=)/im.test((await readTextIfAny(configFile)) ?? '');
}

/**
 * Positions of the wanted objects that the repository lacks.
 * @param ids object ids, one after the other, `idBytes` bytes each
 */
export async function missingObjects(
  repository: Repository,
  ids: { bytes: Buffer; idBytes: number },
  wanted: Uint32Array,
): Promise<number[]> {
  const nameAt = (at: number): string => ids.bytes.toString('hex', at * ids.idBytes, (at + 1) * ids.idBytes);
  const missing = await missingNames(repository, ids, wanted);
  if (missing !== null) return missing.size === 0 ? [] : [...wanted].filter((at) => missing.has(nameAt(at)));
  const held = await heldObjects(repository.place);
  return [...wanted].filter((at) => !held.has(nameAt(at)));
}

/** Null where git, in a partial clone, would rather fetch than say that an object is missing. */
async function missingNames(
  repository: Repository,
  ids: { bytes: Buffer; idBytes: number },
  wanted: Uint32Array,
): Promise<Set<string> | null> {
  const missing = new Set<string>();
  const { exitCode } = await repository.git({
    args: ['cat-file', '--buffer', '--batch-check=.'],
    stdin: idLines(ids, wanted),
    accept: [0, 128],
    // Present objects answer with a dot, so what the lines hold besides is short.
    onStdout: byLines((line) => {
      if (line.endsWith(' missing')) missing.add(line.slice(0, line.indexOf(' ')));
    }),
  });
  return exitCode === 0 ? missing : null;
}

async function* idLines(
  { bytes, idBytes }: { bytes: Buffer; idBytes: number },
  wanted: Uint32Array,
): AsyncGenerator<Buffer> {
  const batch = 2_000;
  for (let first = 0; first < wanted.length; first += batch) {
    let lines = '';
    for (const at of wanted.subarray(first, first + batch))
      lines += `${bytes.toString('hex', at * idBytes, (at + 1) * idBytes)}\n`;
    yield Buffer.from(lines, 'latin1');
  }
}
