import { createRepository, type FileMode, keyOfText, type Repository, type TreeFiles } from '#git/index.js';

/** Files of one commit: path -> text, bytes, or null to delete; a pair sets the mode too. */
export type FileEdits = Record<string, string | Buffer | null | { mode: FileMode; content: string | Buffer }>;

export interface MadeHistory {
  repository: Repository;
  /** Adds a commit with these edits on top of `parents[0]` (by default the newest commit). @returns its id */
  commit(subject: string, edits: FileEdits, parents?: readonly string[]): Promise<string>;
  /** Id of the newest commit. */
  head(): string;
}

/** An empty bare repository into which a test writes history commit by commit, without running git. */
export async function makeHistory(gitDir: string): Promise<MadeHistory> {
  const repository = await createRepository(gitDir);
  let head = '';
  return {
    repository,
    head: () => head,
    commit: async (subject, edits, parents = head === '' ? [] : [head]) => {
      const [first] = parents;
      const files: TreeFiles = first === undefined ? new Map() : new Map(await repository.files(first));
      for (const [path, edit] of Object.entries(edits)) {
        if (edit === null) files.delete(keyOfText(path));
        else files.set(keyOfText(path), await entryOf(repository, edit));
      }
      head = await repository.writeCommit({ tree: await repository.writeTree(files), parents, message: subject });
      await repository.git({ args: ['update-ref', 'refs/heads/main', head] });
      return head;
    },
  };
}

async function entryOf(repository: Repository, edit: Exclude<FileEdits[string], null>) {
  const { mode, content } =
    typeof edit === 'string' || Buffer.isBuffer(edit) ? { mode: '100644' as const, content: edit } : edit;
  if (mode === '160000') return { mode, oid: content.toString() };
  return { mode, oid: await repository.writeBlob(Buffer.from(content)) };
}
