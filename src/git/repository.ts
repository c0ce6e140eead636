import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Fault } from '#kernel/faults.js';
import { runProcess } from '#process/index.js';
import { writeFileAtomic } from '#store/index.js';
import { type GitObject, type ObjectReader, openObjectReader } from './object-reader.js';
import { ObjectWriter, objectId } from './object-writer.js';
import { type GitPlace, type GitRequest, gitEnvironment, runGit } from './run-git.js';
import { buildTrees, missingObject, type TreeFiles, TreeReader } from './tree-files.js';

export interface CommitFacts {
  oid: string;
  tree: string;
  parents: string[];
  /** Message bytes as stored, whatever their encoding. */
  message: Buffer;
  /** Author time in seconds since the epoch; null where the header cannot be read. */
  authoredAt: number | null;
}

/** A git repository as objects. Its work tree, if any, is never looked at. */
export interface Repository {
  readonly place: GitPlace;
  read(name: string): Promise<GitObject | null>;
  /** @throws Fault `object-missing` (input) */
  readBlob(oid: string): Promise<Buffer>;
  /** Files of a commit or tree. @throws Fault `object-missing` (input) */
  files(treeish: string): Promise<TreeFiles>;
  /** @throws Fault `revision-unknown` (input) */
  commit(revision: string): Promise<CommitFacts>;
  writeBlob(content: Uint8Array): Promise<string>;
  writeTree(files: TreeFiles): Promise<string>;
  /** A commit with a fixed identity and date, so that equal trees have equal commits. @returns its id */
  writeCommit(commit: { tree: string; parents?: readonly string[]; message: string }): Promise<string>;
  git(request: GitRequest): Promise<{ stdout: Buffer; exitCode: number; stderr: string }>;
  close(): Promise<void>;
}

/**
 * Opens a repository for reading: a work tree's folder, a `.git` folder, a linked worktree or a bare repository.
 * With `writeTo`, new objects go into that objects folder and never into the repository.
 * @throws Fault `not-a-repository` (input)
 */
export async function openRepository(path: string, options: { writeTo?: string } = {}): Promise<Repository> {
  const gitDir = await findGitDir(path);
  if (options.writeTo === undefined) return repositoryAt({ gitDir });
  const found = await runGit({ gitDir }, { args: ['rev-parse', '--git-path', 'objects'] });
  const ownObjects = resolve(gitDir, found.stdout.toString('utf8').replace(/\n$/, ''));
  return repositoryAt({ gitDir, objectDirectory: resolve(options.writeTo), ownObjects });
}

/** Makes an empty bare repository (if there is none yet) and opens it for reading and writing. */
export async function createRepository(
  gitDir: string,
  options: { borrowObjectsFrom?: readonly string[] } = {},
): Promise<Repository> {
  const isThere = await stat(join(gitDir, 'HEAD')).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
    await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true });
    const borrowed = options.borrowObjectsFrom ?? [];
    if (borrowed.length > 0)
      await writeFileAtomic(
        join(gitDir, 'objects', 'info', 'alternates'),
        borrowed.map((objects) => `${objects}\n`).join(''),
      );
    await writeFileAtomic(join(gitDir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    await writeFileAtomic(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  }
  return repositoryAt({ gitDir });
}

async function repositoryAt(place: GitPlace): Promise<Repository> {
  const objectsDir = place.objectDirectory ?? join(place.gitDir, 'objects');
  // Of the repository itself nothing is made: a linked worktree's folder has no objects of its own.
  if (place.objectDirectory !== undefined) await mkdir(objectsDir, { recursive: true });
  const reader: ObjectReader = await openObjectReader(place);
  const writer = new ObjectWriter(objectsDir);
  const trees = new TreeReader(reader, (oid) => writer.know(oid));

  const commit = async (revision: string): Promise<CommitFacts> => {
    const object = /[\n\0]/.test(revision) ? null : await reader.read(`${revision}^{commit}`);
    if (object === null || object.type !== 'commit') {
      throw new Fault({
        code: 'revision-unknown',
        kind: 'input',
        message: `${place.gitDir}: no commit is named ${JSON.stringify(revision)}`,
        hint: 'Give a full commit id, an unambiguous prefix, a tag or a branch of this repository.',
      });
    }
    return parseCommit(object);
  };

  return {
    place,
    read: (name) => reader.read(name),
    readBlob: async (oid) => {
      const object = await reader.read(oid);
      if (object === null || object.type !== 'blob') throw missingObject('blob', oid);
      writer.know(oid);
      return object.content;
    },
    files: async (treeish) => {
      const object = await reader.read(`${treeish}^{tree}`);
      if (object === null) throw missingObject('tree of', treeish);
      const files = await trees.files(object.oid);
      for (const file of files.values()) writer.know(file.oid);
      return files;
    },
    commit,
    writeBlob: (content) => writer.write('blob', content),
    writeTree: async (files) => {
      const built = buildTrees(files, objectId);
      for (const content of built.trees.values()) await writer.write('tree', content);
      return built.root;
    },
    writeCommit: ({ tree, parents = [], message }) => {
      const who = 'FeatureArc <featurearc@localhost> 946684800 +0000';
      const text = `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author ${who}\ncommitter ${who}\n\n${message}\n`;
      return writer.write('commit', Buffer.from(text, 'utf8'));
    },
    git: (request) => runGit(place, request),
    close: () => reader.close(),
  };
}

function parseCommit(object: GitObject): CommitFacts {
  const headEnd = object.content.indexOf('\n\n');
  const head = object.content.toString('latin1', 0, headEnd < 0 ? object.content.length : headEnd);
  const tree = /^tree ([0-9a-f]+)/.exec(head)?.[1] ?? '';
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] as string);
  const seconds = /^author .*> ([0-9]+) [+-][0-9]+$/m.exec(head)?.[1];
  return {
    oid: object.oid,
    tree,
    parents,
    message: headEnd < 0 ? Buffer.alloc(0) : object.content.subarray(headEnd + 2),
    authoredAt: seconds === undefined ? null : Number(seconds),
  };
}

async function findGitDir(path: string): Promise<string> {
  const absolute = resolve(path);
  const isFolder = await stat(absolute).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (isFolder) {
    const { GIT_DIR: _none, ...env } = gitEnvironment({ gitDir: absolute });
    const found = await runProcess({
      argv: ['git', '-c', 'safe.directory=*', '-C', absolute, 'rev-parse', '--absolute-git-dir'],
      env: { ...env, GIT_CEILING_DIRECTORIES: dirname(absolute) },
    });
    const gitDir = found.stdout.toString('utf8').replace(/\n$/, '');
    if (found.exitCode === 0 && gitDir !== '') return gitDir;
  }
  throw new Fault({
    code: 'not-a-repository',
    kind: 'input',
    message: `${absolute}: not a git repository`,
    hint: 'Give the folder of a clone, its .git folder, or a bare repository.',
  });
}
