import { basename } from 'node:path';
import type { Task } from '#documents/task.js';
import type { TreeFiles } from '#git/index.js';
import { classifyPath } from '#languages/index.js';

/** A task id from any text: lower case, digits, dashes. */
export function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return slug === '' ? 'task' : slug;
}

/** How a repository is called where nobody says: the last part of its folder's name. */
export function nameOfRepository(path: string): string {
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\/\.git$/, '')
    .split('/');
  return basename(parts.join('/')).replace(/\.git$/, '') || 'repository';
}

const LANGUAGES: readonly [RegExp, Task['language']][] = [
  [/\.pyi?$/, 'python'],
  [/\.[cm]?[jt]sx?$/, 'typescript'],
  [/\.rs$/, 'rust'],
  [/\.go$/, 'go'],
];

/** The language of most source files among the given paths. */
export function mainLanguage(files: TreeFiles, among: Iterable<string>): Task['language'] {
  const count = (paths: Iterable<string>): Task['language'] | null => {
    const counts = new Map<Task['language'], number>();
    for (const path of paths) {
      const found = classifyPath(path) === 'source' ? LANGUAGES.find(([pattern]) => pattern.test(path)) : undefined;
      if (found !== undefined) counts.set(found[1], (counts.get(found[1]) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  };
  return count(among) ?? count(files.keys()) ?? 'typescript';
}

const LICENSES: readonly [RegExp, string][] = [
  [/Apache License\s+Version 2\.0/i, 'Apache-2.0'],
  [/GNU AFFERO GENERAL PUBLIC LICENSE/i, 'AGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE/i, 'LGPL-3.0'],
  [/GNU GENERAL PUBLIC LICENSE/i, 'GPL-3.0'],
  [/Mozilla Public License/i, 'MPL-2.0'],
  [/Neither the name of/i, 'BSD-3-Clause'],
  [/Redistribution and use in source and binary forms/i, 'BSD-2-Clause'],
  [/Permission to use, copy, modify, and\/or distribute/i, 'ISC'],
  [/Permission is hereby granted, free of charge/i, 'MIT'],
];

/** SPDX id of a licence text; null where it is none of the usual ones. */
export function licenseOf(text: string): string | null {
  const folded = text.replace(/\s+/g, ' ');
  return LICENSES.find(([pattern]) => pattern.test(folded))?.[1] ?? null;
}
