import type { Language } from './contract.js';
import { go } from './go/index.js';
import { python } from './python/index.js';
import { rust } from './rust/index.js';
import { javascript, tsx, typescript } from './typescript/index.js';

export const languages: readonly Language[] = [python, typescript, tsx, javascript, rust, go];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);
const byName = new Map<string, Language>(languages.map((language) => [language.name, language]));

/** The language of a file (a path or `pathKey`, by its extension) or of that name; null where it is none of ours. */
export function languageOf(pathKeyOrName: string): Language | null {
  const named = byName.get(pathKeyOrName);
  if (named !== undefined) return named;
  const file = pathKeyOrName.slice(pathKeyOrName.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? null : (byExtension.get(file.slice(dot).toLowerCase()) ?? null);
}
