import type { LanguageName } from '#languages/index.js';
import type { LexicalFamily } from './lexical-lines.js';
import type { PieceImport } from './piece-facts.js';

/** What the module graph and the roles need of one version of a file. */
export interface BlobFacts {
  imports: PieceImport[];
  /** Names that export lists make visible (`export { a }`, `module.exports = { a }`). */
  exportedLater: string[];
  /** Why the file was not parsed, or `errors` where parts of it do not parse. */
  problem: 'errors' | 'gave-up' | 'too-large' | 'binary' | 'missing' | 'lfs-pointer' | null;
  /** Says of itself that a program wrote it, or looks minified. */
  generated: boolean;
  /** Go: the package clause and the build constraint; '' elsewhere. */
  packageName: string;
  buildTags: string;
}

export const FAMILIES: Record<LanguageName, LexicalFamily> = {
  python: 'python',
  typescript: 'script',
  javascript: 'script',
  tsx: 'script',
  rust: 'rust',
  go: 'go',
};

const GENERATED =
  /code generated .{0,200}do not edit|@generated\b|(?:auto[- ]?generated|this file (?:is|was) (?:automatically )?generated)/i;
/** An average line of people's code is shorter. */
const MINIFIED_LINE_BYTES = 400;

/** Facts that are in the text, not in its syntax. */
export function textFacts(
  source: Buffer,
  language: LanguageName,
): Pick<BlobFacts, 'generated' | 'packageName' | 'buildTags'> {
  const head = source.toString('latin1', 0, 2_048);
  const isGo = language === 'go';
  return {
    generated: GENERATED.test(head.slice(0, 1_024)) || isMinified(source),
    packageName: isGo ? (/^package\s+(\w+)/m.exec(head)?.[1] ?? '') : '',
    buildTags: isGo ? (/^\/\/go:build\s+(.+)$/m.exec(head)?.[1]?.trim() ?? '') : '',
  };
}

/** A pointer of a large-file store stands for content that is elsewhere. */
export function isLfsPointer(source: Buffer): boolean {
  return source.length < 1_024 && /^version https:\/\/git-lfs[^\n]*\/spec\//.test(source.toString('latin1', 0, 100));
}

function isMinified(source: Buffer): boolean {
  if (source.length < 4_000) return false;
  let lines = 1;
  for (let at = source.indexOf(0x0a); at >= 0; at = source.indexOf(0x0a, at + 1)) lines += 1;
  return source.length / lines > MINIFIED_LINE_BYTES;
}
