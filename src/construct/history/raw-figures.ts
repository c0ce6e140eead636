import { openRepository, readRepositoryFacts } from '#git/index.js';
import { readRaw } from './raw/read-raw.js';

/**
 * Reads a history raw up to HEAD and keeps it in the folder, without analysing anything.
 * @returns how much there is
 */
export async function readRawHistory(
  repositoryPath: string,
  cacheFolder: string | null,
): Promise<{ commits: number; changes: number }> {
  const repository = await openRepository(repositoryPath);
  try {
    const facts = await readRepositoryFacts(repository);
    const raw = await readRaw(repository, { facts, head: facts.head ?? '', cacheFolder, allowIncomplete: false });
    return { commits: raw.commitCount, changes: raw.changeCount };
  } finally {
    await repository.close();
  }
}
