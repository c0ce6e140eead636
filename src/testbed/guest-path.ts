import { pathBytes, showPath } from '#kernel/bytes.js';
import type { TargetResult } from './contract.js';

/**
 * A path key as text for a command line, or null where its bytes are no UTF-8: Node can neither pass nor open it then.
 */
export function pathText(key: string): string | null {
  const bytes = pathBytes(key);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

/** Splits files into those that can be named on a command line of Node and the results of those that cannot. */
export function nameableFiles(files: readonly string[]): { named: string[]; unnameable: TargetResult[] } {
  const named = files.filter((file) => pathText(file) !== null);
  const unnameable = files
    .filter((file) => pathText(file) === null)
    .map((file) => ({
      file,
      state: 'not-reached' as const,
      message: `${showPath(pathBytes(file))}: this runner takes only paths in UTF-8`,
    }));
  return { named, unnameable };
}
