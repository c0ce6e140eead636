/** Syntax trees, definitions, imports, strings and names of Python, TypeScript/JavaScript, Rust and Go sources. */
import type { SyntaxFacts, Unparsed } from './contract.js';
import { languageOf } from './registry.js';

export type {
  AssignedAttribute,
  Definition,
  DefinitionKind,
  ImportStatement,
  Language,
  LanguageName,
  StringLiteral,
  SyntaxFacts,
  Unparsed,
} from './contract.js';
export { foldSignature } from './definition-range.js';
export { classifyPath, type FileRole, isChangelog, isHousekeeping, isVersionFile } from './file-roles.js';
export { IDENTIFIER_TYPES, type NameRole, nameRole } from './name-role.js';
export { MAX_SOURCE_BYTES, parseSource } from './parse-source.js';
export { languageOf } from './registry.js';
export { type NodeId, SyntaxTree } from './syntax-tree.js';
export { type WrittenTest, writtenTests } from './written-tests.js';

/**
 * Facts of a source file, by the language of its path.
 * @returns null where the path is of no language known here; `unparsed` with the reason where the bytes cannot be read
 */
export async function analyseSource(
  pathKey: string,
  source: Buffer,
): Promise<SyntaxFacts | { unparsed: Unparsed } | null> {
  return (await languageOf(pathKey)?.analyse(source)) ?? null;
}
