import { languageOf } from '#languages/index.js';
import type { WorkspaceNames } from './material.js';
import { moduleStem } from './module-name.js';

/**
 * Names of a workspace from its files: identifiers of sources, words of other text, all text for the search of strings.
 * Files above 1 MB are left out of the text, as nobody reads them.
 */
export async function collectWorkspaceNames(
  files: Iterable<readonly [string, Buffer]> | AsyncIterable<readonly [string, Buffer]>,
): Promise<WorkspaceNames> {
  const names = new Set<string>();
  const stems = new Set<string>();
  const texts: string[] = [];
  for await (const [path, content] of files) {
    stems.add(moduleStem(path));
    if (content.length > 1_000_000 || content.includes(0)) continue;
    const text = content.toString('utf8');
    texts.push(text);
    const facts = await languageOf(path)?.analyse(content);
    if (facts !== undefined && !('unparsed' in facts)) for (const name of facts.identifiers.keys()) names.add(name);
    else for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) names.add(word);
  }
  return {
    hasName: (name) => names.has(name),
    hasText: (text) => texts.some((held) => held.includes(text)),
    hasModule: (stem) =>
      stems.has(stem) ||
      stems.has(`src/${stem}`) ||
      stems.has(`lib/${stem}`) ||
      [...stems].some(
        (held) =>
          held
            .replace(/^(?:src|lib)\//, '')
            .split('/')
            .join('.') === stem,
      ),
  };
}
