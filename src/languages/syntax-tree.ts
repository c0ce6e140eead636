import type { LanguageName } from './language-name.js';
import type { SourceText } from './source-text.js';

/** A node of a SyntaxTree: its index in preorder. The root is 0; a node's first child, if any, is the next index. */
export type NodeId = number;

/** The columns of a tree in preorder, positions in UTF-16 units of the text. */
export interface TreeColumns {
  count: number;
  types: Uint16Array;
  starts: Uint32Array;
  ends: Uint32Array;
  fields: Uint8Array;
  parents: Int32Array;
  /** Index after the node's last descendant. */
  subtreeEnds: Int32Array;
  previousSiblings: Int32Array;
}

export interface TreeNames {
  typeNames: readonly string[];
  named: readonly boolean[];
  fieldNames: readonly (string | null)[];
}

/**
 * A whole syntax tree as plain data: nothing to free, no call into the parser, no recursion needed to walk it.
 * Positions that it gives are byte offsets into the source.
 */
export class SyntaxTree {
  readonly count: number;

  constructor(
    readonly language: LanguageName,
    readonly source: Buffer,
    private readonly decoded: SourceText,
    private readonly names: TreeNames,
    private readonly columns: TreeColumns,
    /** Error nodes and tokens the parser had to imagine. */
    readonly parseErrors: number,
  ) {
    this.count = columns.count;
  }

  typeIdOf(node: NodeId): number {
    return this.columns.types[node] ?? 0;
  }

  /** Number of node types of the grammar; the ids of error nodes lie above. */
  get typeCount(): number {
    return this.names.typeNames.length;
  }

  typeNameOf(typeId: number): string {
    return this.names.typeNames[typeId] ?? 'ERROR';
  }

  typeOf(node: NodeId): string {
    return this.names.typeNames[this.columns.types[node] ?? 0] ?? 'ERROR';
  }

  /** False for punctuation and keywords. */
  isNamed(node: NodeId): boolean {
    return this.isNamedType(this.typeIdOf(node));
  }

  isNamedType(typeId: number): boolean {
    return this.names.named[typeId] ?? true;
  }

  /** Byte offset of the node's first byte. */
  startOf(node: NodeId): number {
    return this.byteOffset(this.textStartOf(node));
  }

  /** Byte offset after the node's last byte. */
  endOf(node: NodeId): number {
    return this.byteOffset(this.textEndOf(node));
  }

  /** Position in `text` instead of the source's bytes. */
  textStartOf(node: NodeId): number {
    return this.columns.starts[node] ?? 0;
  }

  textEndOf(node: NodeId): number {
    return this.columns.ends[node] ?? 0;
  }

  byteOffset(textPosition: number): number {
    return this.decoded.byteOffsets?.[textPosition] ?? textPosition;
  }

  get text(): string {
    return this.decoded.text;
  }

  textOf(node: NodeId): string {
    return this.decoded.text.slice(this.columns.starts[node], this.columns.ends[node]);
  }

  parentOf(node: NodeId): NodeId | null {
    const parent = this.columns.parents[node] ?? -1;
    return parent < 0 ? null : parent;
  }

  /** The index after the node's last descendant: descendants are the indices between. */
  subtreeEndOf(node: NodeId): number {
    return this.columns.subtreeEnds[node] ?? this.count;
  }

  firstChildOf(node: NodeId): NodeId | null {
    return this.subtreeEndOf(node) > node + 1 ? node + 1 : null;
  }

  nextSiblingOf(node: NodeId): NodeId | null {
    const next = this.subtreeEndOf(node);
    const parent = this.parentOf(node);
    return parent !== null && next < this.subtreeEndOf(parent) ? next : null;
  }

  previousSiblingOf(node: NodeId): NodeId | null {
    const previous = this.columns.previousSiblings[node] ?? -1;
    return previous < 0 ? null : previous;
  }

  *childrenOf(node: NodeId): Generator<NodeId> {
    const end = this.subtreeEndOf(node);
    for (let child = node + 1; child < end; child = this.subtreeEndOf(child)) yield child;
  }

  /** The field of its parent that the node stands in, or null. */
  fieldOf(node: NodeId): string | null {
    return this.names.fieldNames[this.columns.fields[node] ?? 0] ?? null;
  }

  /** The first child in a field, or null. */
  childByField(node: NodeId, field: string): NodeId | null {
    for (const child of this.childrenOf(node)) if (this.fieldOf(child) === field) return child;
    return null;
  }

  childOfType(node: NodeId, ...types: string[]): NodeId | null {
    for (const child of this.childrenOf(node)) if (types.includes(this.typeOf(child))) return child;
    return null;
  }

  /** The nearest node above that has one of the types, looking at most `levels` up, or null. */
  ancestorOfType(node: NodeId, types: readonly string[], levels = 64): NodeId | null {
    let above = this.parentOf(node);
    for (let level = 0; above !== null && level < levels; level += 1) {
      if (types.includes(this.typeOf(above))) return above;
      above = this.parentOf(above);
    }
    return null;
  }
}
