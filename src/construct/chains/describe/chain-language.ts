import type { Chain } from '#documents/chains.js';
import type { PastGroup } from '../past.js';

const BY_ENDING: readonly [RegExp, NonNullable<Chain['language']>][] = [
  [/\.pyi?$/, 'python'],
  [/\.[cm]?[jt]sx?$/, 'typescript'],
  [/\.rs$/, 'rust'],
  [/\.go$/, 'go'],
];

/** The language of most of the source lines; null where no source is of a language we read. */
export function chainLanguage(groups: readonly PastGroup[]): Chain['language'] {
  const lines = new Map<NonNullable<Chain['language']>, number>();
  for (const { files } of groups)
    for (const { path, role, addedLines } of files) {
      const language = BY_ENDING.find(([ending]) => ending.test(path))?.[1];
      if (role === 'source' && language !== undefined)
        lines.set(language, (lines.get(language) ?? 0) + 1 + (addedLines ?? 0));
    }
  return [...lines].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
}
