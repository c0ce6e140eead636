import { type TokenStream, tokenStream } from './content-hash.js';
import type { Definition, SyntaxFacts } from './contract.js';
import { leadStart, signatureOf } from './definition-range.js';
import type { DefinitionDraft, LanguageRules, Surroundings } from './rules.js';
import type { NodeId, SyntaxTree } from './syntax-tree.js';

/** Definitions nested deeper than this are not listed: real code has no such thing, hostile input has. */
const MAX_NESTING = 24;

const OUTSIDE: Surroundings = { qualifiedName: '', kind: 'module', inTest: false, inFunction: false };

interface OpenScope {
  end: NodeId;
  around: Surroundings;
  /** Index of the definition that the scope belongs to, -1 where it belongs to none. */
  owner: number;
}

/** What decides a definition's visibility once the whole file has been read. */
interface Marks {
  own: boolean;
  owner: number;
  hidden: boolean;
}

/** Walks a tree once, without recursion, and gathers what the rules of its language find. */
export function collectFacts(tree: SyntaxTree, rules: LanguageRules): SyntaxFacts {
  return new Collector(tree, rules).run();
}

class Collector {
  private readonly facts: SyntaxFacts;
  private readonly tokens: TokenStream;
  private readonly scopes: OpenScope[] = [];
  private readonly timesNamed = new Map<string, number>();
  private readonly attributesSeen = new Set<string>();
  private readonly exportedLater = new Set<string>();
  private readonly marks: Marks[] = [];
  private around = OUTSIDE;
  private errorEnd = 0;

  constructor(
    private readonly tree: SyntaxTree,
    private readonly rules: LanguageRules,
  ) {
    this.facts = {
      language: rules.name,
      definitions: [],
      imports: [],
      strings: [],
      identifiers: new Map(),
      calls: new Map(),
      attributes: [],
      parseErrors: tree.parseErrors,
    };
    this.tokens = tokenStream(tree, rules);
  }

  run(): SyntaxFacts {
    const { tree, rules } = this;
    const interesting = interestingTypes(tree, rules);
    for (let node = 0; node < tree.count; node += 1) {
      const typeId = tree.typeIdOf(node);
      const interest = interesting[typeId] ?? 0;
      if (interest === 0) continue;
      const type = tree.typeNameOf(typeId);
      if (interest & IDENTIFIER) count(this.facts.identifiers, tree.textOf(node));
      if (interest & RULED) {
        this.leaveScopes(node);
        this.visit(node, type);
      }
    }
    this.settleExports();
    return this.facts;
  }

  private leaveScopes(node: NodeId): void {
    while (this.scopes.length > 0 && (this.scopes[this.scopes.length - 1] as OpenScope).end <= node) this.scopes.pop();
    this.around = this.scopes[this.scopes.length - 1]?.around ?? OUTSIDE;
  }

  private visit(node: NodeId, type: string): void {
    const { tree, rules, facts } = this;
    if (rules.errors[type]?.(tree, node)) this.errorEnd = Math.max(this.errorEnd, tree.subtreeEndOf(node));
    const call = rules.calls[type]?.(tree, node);
    if (call !== null && call !== undefined && call !== '') count(facts.calls, call);
    const string = rules.strings[type];
    if (string !== undefined) this.addString(node, string(tree, node));
    const imports = rules.imports[type]?.(tree, node, this.around);
    if (imports !== undefined) facts.imports.push(...imports);
    for (const name of rules.exportedLater[type]?.(tree, node) ?? []) this.exportedLater.add(name);
    const attribute = rules.attributes[type]?.(tree, node, this.around);
    if (attribute !== null && attribute !== undefined) {
      const key = `${attribute.owner}\0${attribute.name}`;
      if (!this.attributesSeen.has(key)) facts.attributes.push(attribute);
      this.attributesSeen.add(key);
    }
    const scope = rules.scopes[type]?.(tree, node);
    if (scope !== null && scope !== undefined) this.openScope(node, scope);
    const { around } = this;
    for (const draft of rules.definitions[type]?.(tree, node, around) ?? []) this.define(draft, around);
  }

  private addString(node: NodeId, literal: { value: string; isDoc?: boolean }): void {
    const { tree } = this;
    // A literal inside a larger one (parts of a concatenation, text inside an interpolation) is told by the larger.
    const last = this.facts.strings[this.facts.strings.length - 1];
    const start = tree.startOf(node);
    if (last !== undefined && start < last.end) return;
    this.facts.strings.push({
      value: literal.value,
      start,
      end: tree.endOf(node),
      inError: node < this.errorEnd,
      isDoc: literal.isDoc ?? false,
    });
  }

  private openScope(node: NodeId, name: string): void {
    const { around } = this;
    this.around = { ...around, qualifiedName: joined(around.qualifiedName, name), kind: 'scope' };
    this.scopes.push({ end: this.tree.subtreeEndOf(node), around: this.around, owner: this.owner });
  }

  private get owner(): number {
    return this.scopes[this.scopes.length - 1]?.owner ?? -1;
  }

  private define(draft: DefinitionDraft, around: Surroundings): void {
    if (this.scopes.length > MAX_NESTING) return;
    const { tree } = this;
    const plain = joined(joined(around.qualifiedName, draft.owner ?? ''), draft.name);
    const times = (this.timesNamed.get(plain) ?? 0) + 1;
    this.timesNamed.set(plain, times);
    const rangeNode = draft.rangeNode ?? draft.node;
    const definition: Definition = {
      kind: draft.kind,
      name: draft.name,
      qualifiedName: times === 1 ? plain : `${plain}#${times}`,
      signature: signatureOf(tree, this.rules, draft.headNode ?? draft.node, draft.body),
      exported: draft.exported,
      start: tree.byteOffset(leadStart(tree, this.rules, rangeNode)),
      end: tree.endOf(rangeNode),
      bodyStart: draft.body === null ? null : tree.startOf(draft.body),
      contentHash: this.tokens.hashOf(rangeNode),
      value: draft.value ?? null,
      inTest: around.inTest || (draft.inTest ?? false),
    };
    this.facts.definitions.push(definition);
    this.marks.push({ own: draft.exported, owner: this.owner, hidden: around.inFunction });
    if (tree.subtreeEndOf(draft.node) === draft.node + 1) return;
    const isFunction = draft.kind === 'function' || draft.kind === 'method';
    this.scopes.push({
      end: tree.subtreeEndOf(draft.node),
      around: {
        qualifiedName: definition.qualifiedName,
        kind: draft.kind,
        inTest: definition.inTest,
        inFunction: around.inFunction || isFunction,
      },
      owner: this.facts.definitions.length - 1,
    });
  }

  /** An export list may stand below what it names; members are as visible as their class lets them. Owners come first. */
  private settleExports(): void {
    const { definitions } = this.facts;
    definitions.forEach((definition, index) => {
      const marks = this.marks[index];
      if (marks === undefined) return;
      const own = marks.own || this.exportedLater.has(definition.qualifiedName);
      definition.exported = own && !marks.hidden && (marks.owner < 0 || (definitions[marks.owner]?.exported ?? false));
    });
  }
}

const IDENTIFIER = 1;
const RULED = 2;

/** One grammar's types for each set of rules: short sources are many, so this is worked out once. */
const interestOf = new WeakMap<LanguageRules, Uint8Array>();

function interestingTypes(tree: SyntaxTree, rules: LanguageRules): Uint8Array {
  const known = interestOf.get(rules);
  if (known !== undefined) return known;
  const tables = [
    rules.strings,
    rules.definitions,
    rules.scopes,
    rules.imports,
    rules.calls,
    rules.errors,
    rules.attributes,
    rules.exportedLater,
  ];
  const interest = new Uint8Array(tree.typeCount);
  for (let id = 0; id < interest.length; id += 1) {
    // `string` is a literal where it is a node and a keyword where it is punctuation.
    if (!tree.isNamedType(id)) continue;
    const name = tree.typeNameOf(id);
    interest[id] =
      (rules.identifiers.has(name) ? IDENTIFIER : 0) | (tables.some((table) => Object.hasOwn(table, name)) ? RULED : 0);
  }
  interestOf.set(rules, interest);
  return interest;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function joined(prefix: string, name: string): string {
  if (prefix === '' || name === '') return prefix + name;
  return `${prefix}.${name}`;
}
