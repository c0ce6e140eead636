/** Speaks git: objects read in batch and written directly, trees as flat maps, folders captured byte for byte. */
export { type CommitIdentity, type CommitObject, parseCommitObject } from './commit-object.js';
export type { GitObject, ObjectType } from './object-reader.js';
export type { RawRecord } from './raw-diff-parser.js';
export { type RawWalkRequest, type RawWalkSink, RENAME_LIMIT, type RenameMode, walkRaw } from './raw-walk.js';
export { type CommitFacts, createRepository, openRepository, type Repository } from './repository.js';
export { missingObjects, type RepositoryFacts, readRepositoryFacts } from './repository-facts.js';
export type { GitPlace, GitRequest } from './run-git.js';
export { diffTrees, type FileMode, keyOfText, type TreeFile, type TreeFiles } from './tree-files.js';
export {
  blobId,
  type CaptureMemory,
  type CaptureOptions,
  captureFolder,
  folderOf,
  type LostPath,
  materialise,
} from './workspace.js';
