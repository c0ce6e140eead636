import type { LanguageName } from './language-name.js';
import type { SyntaxTree } from './syntax-tree.js';

/**
 * A language turns source bytes into what the pipeline asks of code: definitions, imports, public interface, names
 * used. Members: python, typescript (with javascript, tsx), rust, go. Positions are byte offsets into the source.
 */
export type { LanguageName };

/** Why a file has no facts: more than 1 MB, NUL bytes, or the parser's budget was spent. */
export type Unparsed = 'too-large' | 'binary' | 'gave-up';

export type DefinitionKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant'
  | 'variable'
  | 'module'
  | 'field'
  | 'macro';

export interface Definition {
  kind: DefinitionKind;
  /** Last part of the qualified name. */
  name: string;
  /** From the file's top: `Group.resolve`. Ordinal suffix `#2` where a name repeats in its scope. */
  qualifiedName: string;
  /** The head of the definition with white space folded: name, parameters, defaults, types; no body. */
  signature: string;
  /** Visible outside its module by the language's rules (no leading underscore, `export`, `pub`, capital letter). */
  exported: boolean;
  /** Byte range including decorators, attributes and doc comments. */
  start: number;
  end: number;
  /** Byte range of the body, null where there is none. */
  bodyStart: number | null;
  /** SHA-256 (hex, 16 characters) of the definition's tokens without comments and white space. */
  contentHash: string;
  /** For constants: the literal's source text where it is a literal; else null. */
  value: string | null;
  /** Inside a test-only region (Rust `#[cfg(test)]`, Python `if TYPE_CHECKING` is not one). */
  inTest: boolean;
}

export interface ImportStatement {
  /** As written: `./router`, `click.core`, `crate::walk`, `github.com/go-chi/chi/v5`. */
  specifier: string;
  /** Names taken, `*` for all, empty for side effect or whole module. */
  names: string[];
  /** Names that the statement binds in the file: `['np']` for `import numpy as np`, `['z']` for `import * as z`. */
  localNames: string[];
  start: number;
  end: number;
  typeOnly: boolean;
  /** Exports what it imports (`export … from`, `pub use`). */
  reExport: boolean;
}

export interface StringLiteral {
  /** The literal's value where it can be known statically, else its source text without quotes. */
  value: string;
  start: number;
  end: number;
  /** Inside a raise / throw / panic / error constructor. */
  inError: boolean;
  /** A documentation string: read by people, not by the program. */
  isDoc: boolean;
}

export interface AssignedAttribute {
  /** Qualified name of the class whose instances get it. */
  owner: string;
  name: string;
}

export interface SyntaxFacts {
  language: LanguageName;
  definitions: Definition[];
  imports: ImportStatement[];
  strings: StringLiteral[];
  /** Identifiers used anywhere, with their count: names only, no keywords. */
  identifiers: Map<string, number>;
  /** Names called or constructed, with their count. */
  calls: Map<string, number>;
  /** Attributes that methods give to their own object (`self.x = …`, `this.x = …`), each once. */
  attributes: AssignedAttribute[];
  /** Error nodes in the tree: 0 in a file that parses. */
  parseErrors: number;
}

export interface Language {
  readonly name: LanguageName;
  /** File extensions with their dot. */
  readonly extensions: readonly string[];
  readonly commentPrefixes: readonly string[];
  /** Names that come with the language and its standard library, so nobody has to specify them. */
  readonly builtinNames: ReadonlySet<string>;
  /** @returns facts, or why the file was not parsed (too large, not text, parser gave up) */
  analyse(source: Buffer): Promise<SyntaxFacts | { unparsed: Unparsed }>;
  /** The whole syntax tree as plain data (nothing to free), or why there is none. */
  parse(source: Buffer): Promise<SyntaxTree | { unparsed: Unparsed }>;
}
