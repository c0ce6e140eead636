/** Writes files whole or not at all, keeps journals and locks, and reads what untrusted code left. */
export { cacheRoot, environmentFolder, putEnvironment } from './environment-store.js';
export {
  diskFault,
  readText,
  readTextIfAny,
  readUntrusted,
  writeFileAtomic,
} from './files.js';
export { type Journal, type JournalEntry, openJournal, readJournal } from './journal.js';
export { acquireLock, type Lock } from './lock.js';
export { inOwnFolder, requireFilePlace } from './place-taken.js';
export type { PlainFile } from './plain-files.js';
export { isStampDead, ownStamp } from './process-identity.js';
export { removeTree } from './remove-tree.js';
export { requireWritable } from './require-writable.js';
export {
  openTaskPackage,
  type SuiteFiles,
  type SuitePlace,
  sealTaskFolder,
  type TaskDigests,
  type TaskPackage,
} from './task-package.js';
export { makeTemporaryFolder, sweepTemporaryFolders, temporaryName, withTemporaryFolder } from './temporary-folders.js';
export { openUntrustedFolder, type StandingPath, type UntrustedFolder } from './untrusted-folder.js';
