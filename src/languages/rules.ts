import type { AssignedAttribute, DefinitionKind, ImportStatement } from './contract.js';
import type { LanguageName } from './language-name.js';
import type { NodeId, SyntaxTree } from './syntax-tree.js';

/** What a language's rules say about one definition; ranges, names and hashes follow from it. */
export interface DefinitionDraft {
  kind: DefinitionKind;
  name: string;
  /** Visible by its own marks; it also needs visible surroundings. */
  exported: boolean;
  /** The node whose descendants are inside the definition. */
  node: NodeId;
  /** The node whose range the definition has, where a wrapper (export, decorators) belongs to it. */
  rangeNode?: NodeId;
  /** Where the signature begins, if not at `node`. */
  headNode?: NodeId;
  body: NodeId | null;
  /** Literal source text of a constant. */
  value?: string | null;
  /** Put before the name: the type that a method is written for outside the type's own text. */
  owner?: string;
  inTest?: boolean;
}

/** Where a definition stands. */
export interface Surroundings {
  qualifiedName: string;
  kind: DefinitionKind | 'scope';
  inTest: boolean;
  /** Inside the body of a function or method: what is defined there is nobody else's business. */
  inFunction: boolean;
}

type At<T> = (tree: SyntaxTree, node: NodeId, around: Surroundings) => T;

/** A language as data and small functions keyed by node type; `collectFacts` does the walking. */
export interface LanguageRules {
  name: LanguageName;
  /** Node types of comments and other text without meaning. */
  comments: ReadonlySet<string>;
  /** Node types that stand before a definition and belong to it. */
  leads: ReadonlySet<string>;
  identifiers: ReadonlySet<string>;
  /** Literals as wholes; what is inside them is read for identifiers but makes no literal of its own. */
  strings: Record<string, (tree: SyntaxTree, node: NodeId) => { value: string; isDoc?: boolean }>;
  definitions: Record<string, At<DefinitionDraft[]>>;
  /** Prefix of the names inside that is no definition itself (`impl Walker`). */
  scopes: Record<string, (tree: SyntaxTree, node: NodeId) => string | null>;
  imports: Record<string, At<ImportStatement[]>>;
  calls: Record<string, (tree: SyntaxTree, node: NodeId) => string | null>;
  /** Nodes whose strings are told to whoever gets the error. */
  errors: Record<string, (tree: SyntaxTree, node: NodeId) => boolean>;
  attributes: Record<string, At<AssignedAttribute | null>>;
  /** Names that later statements export or hide: `export { a }`, `module.exports = { a }`. */
  exportedLater: Record<string, (tree: SyntaxTree, node: NodeId) => string[]>;
  /** Node types whose children's order and nesting is told by white space. */
  layoutBlocks: ReadonlySet<string>;
}
