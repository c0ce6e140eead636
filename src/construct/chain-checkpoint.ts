import type { Repository } from '#git/index.js';

/**
 * From where stages can be removed: the last stage's last commit where it has all of them in its past; for stages of
 * branches that ran side by side, the oldest commit of the mainline that has.
 * @param head newest commit of the mainline
 * @returns undefined where the last commit will do, or no commit has them all
 */
export async function chainCheckpoint(
  repository: Repository,
  stages: readonly (readonly string[])[],
  head: string,
): Promise<string | undefined> {
  const commits = stages.flat();
  const last = commits.at(-1);
  if (last === undefined || (await hasAll(repository, commits, last))) return undefined;
  const listed = await repository.git({ args: ['rev-list', '--first-parent', head, '--'] });
  const mainline = listed.stdout.toString('latin1').trim().split('\n');
  if (!(await hasAll(repository, commits, head))) return undefined;
  // Newest first: what has them all comes before what has not.
  let [has, lacks] = [0, mainline.length];
  while (lacks - has > 1) {
    const middle = (has + lacks) >> 1;
    if (await hasAll(repository, commits, mainline[middle] ?? head)) has = middle;
    else lacks = middle;
  }
  return mainline[has];
}

async function hasAll(repository: Repository, commits: readonly string[], tip: string): Promise<boolean> {
  const outside = await repository.git({ args: ['rev-list', '--max-count=1', ...commits, `^${tip}`, '--'] });
  return outside.stdout.length === 0;
}
