import type { RunnerName } from '#documents/test-identity.js';
import { keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { Fault } from '#kernel/faults.js';

/**
 * Which runner a tree's tests are for, by its manifests and test files.
 * @throws Fault `runner-unknown` (input)
 */
export async function detectRunner(repository: Repository, files: TreeFiles): Promise<RunnerName> {
  const read = async (path: string): Promise<string> => {
    const file = files.get(keyOfText(path));
    return file === undefined ? '' : (await repository.readBlob(file.oid)).toString('utf8');
  };
  const paths = [...files.keys()];
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  const manifest = await read('package.json');
  if (/"vitest"\s*:/.test(manifest) || has(/^vitest\.(?:config|workspace)\.[cm]?[jt]s$/)) return 'vitest';
  if (has(/(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/)) return 'pytest';
  if (/node --test|node:test/.test(manifest)) return 'node-test';
  for (const path of paths
    .filter((candidate) => /[./](?:test|spec)\.[cm]?js$|^tests?\/.*\.[cm]?js$/.test(candidate))
    .slice(0, 20)) {
    const file = files.get(path);
    if (file !== undefined && (await repository.readBlob(file.oid)).includes('node:test')) return 'node-test';
  }
  throw new Fault({
    code: 'runner-unknown',
    kind: 'input',
    message: 'no supported test runner was recognised: neither vitest nor pytest nor node:test',
    hint: 'Name it with --runner, or choose a repository whose tests run on one of them.',
  });
}
