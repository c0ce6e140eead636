import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { captureFolder, createRepository, materialise, type Repository } from '#git/index.js';
import { removeTree, writeFileAtomic } from '#store/index.js';

export interface WorkspaceSource {
  /** The code to begin with: the one commit of a git bundle, or a tree of a repository of ours. */
  from: { bundle: string; commit: string } | { repository: Repository; tree: string };
  /** Path keys that belong to the environment: kept out of `git status`. */
  owned: readonly string[];
}

const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[user]
	name = Agent
	email = agent@localhost
`;
/** Files are byte for byte what the snapshot says, whatever the project's own attributes wish. */
const ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/**
 * Makes an agent's workspace in an empty place: a git repository of one commit with no other object, no remote and no
 * reflog, its files written byte for byte. Only called before an agent has been there, so git may run in it.
 */
export async function makeWorkspace(folder: string, source: WorkspaceSource): Promise<void> {
  await removeTree(folder);
  const gitDir = join(folder, '.git');
  await mkdir(gitDir, { recursive: true });
  const repository = await createRepository(gitDir);
  try {
    const oid = await fillFrom(source.from, repository, folder);
    await writeFileAtomic(join(gitDir, 'refs', 'heads', 'main'), `${oid}\n`);
    await writeFileAtomic(join(gitDir, 'config'), CONFIG);
    await mkdir(join(gitDir, 'info'), { recursive: true });
    await writeFileAtomic(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
    const env = { GIT_WORK_TREE: folder };
    await repository.git({ args: ['read-tree', oid], env });
    await repository.git({ args: ['update-index', '-q', '--refresh'], env, accept: [0, 1] });
    for (const path of source.owned) await appendFile(join(gitDir, 'info', 'exclude'), excludeLine(path));
  } finally {
    await repository.close();
  }
}

/** Writes the files and has their objects and one parentless commit in the workspace's own repository. @returns the commit */
async function fillFrom(from: WorkspaceSource['from'], own: Repository, folder: string): Promise<string> {
  if ('bundle' in from) {
    await own.git({ args: ['bundle', 'unbundle', from.bundle] });
    const { oid } = await own.commit(from.commit);
    await materialise(own, await own.files(oid), folder);
    return oid;
  }
  await materialise(from.repository, await from.repository.files(from.tree), folder);
  const { tree } = await captureFolder(own, folder, {
    owned: [],
    maxFileBytes: 2 ** 31,
    maxFiles: Number.MAX_SAFE_INTEGER,
  });
  return own.writeCommit({ tree, message: 'Initial state' });
}

/** A line of gitignore(5) that means this path alone, for a path key. */
function excludeLine(path: string): Buffer {
  return Buffer.from(`/${path.replace(/[\\*?[\]! #]/g, '\\$&').replace(/\n/g, '?')}\n`, 'latin1');
}
