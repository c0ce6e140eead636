import type { DefinitionKind } from '#languages/index.js';

/** A definition as a piece tells it. Ordinals of repeated names are the file's affair and left out. */
export interface PieceDefinition {
  kind: DefinitionKind;
  name: string;
  qualifiedName: string;
  signature: string;
  exported: boolean;
  contentHash: string;
  inTest: boolean;
  /** Index of the definition around it in the same piece, -1 where there is none. */
  owner: number;
}

export interface PieceImport {
  specifier: string;
  names: string[];
  typeOnly: boolean;
  /** Inline modules around it (`tests`, `a::b`), '' at the file's top: Rust counts `super` from there. */
  within: string;
}

/** What one piece of a file contributes to the file's facts. */
export interface PieceFacts {
  definitions: PieceDefinition[];
  imports: PieceImport[];
  calls: Map<string, number>;
  identifiers: Map<string, number>;
  /** Titles of `it`, `test` and `describe` calls. */
  titles: string[];
  /** Names that an export list here makes visible. */
  exportedLater: string[];
  /** The piece as written, to count lines. */
  text: string;
  /** The parser found errors, or gave up. */
  problem: 'errors' | 'gave-up' | null;
}
