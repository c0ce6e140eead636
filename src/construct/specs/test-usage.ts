import {
  IDENTIFIER_TYPES,
  type ImportStatement,
  type Language,
  languageOf,
  type NodeId,
  nameRole,
  type SyntaxFacts,
  SyntaxTree,
  writtenTests,
} from '#languages/index.js';
import type { StageMaterial } from './material.js';
import { moduleStem, resolvedStem } from './module-name.js';

/** How a test uses a name. `key` is an entry of an object, which may be data of the test or an option of the code. */
export type UseKind = 'name' | 'attribute' | 'keyword' | 'key' | 'import';

export interface NameUse {
  name: string;
  kinds: Set<UseKind>;
  /** Test files in which it is used. */
  files: Set<string>;
}

export interface ModuleUse {
  /** As the test writes it. */
  specifier: string;
  /** Path from the workspace's root without extension for a relative import, else the specifier. */
  stem: string;
  names: string[];
  file: string;
}

/** What the F2P tests of a stage use, and what their files bring themselves. */
export interface TestUsage {
  names: ReadonlyMap<string, NameUse>;
  modules: readonly ModuleUse[];
  /** Values of string literals, each once. */
  literals: ReadonlySet<string>;
  /** Names that the hidden files define. */
  bound: ReadonlySet<string>;
  /** Literals with which a test declares flags of its own, as with an option decorator. */
  declaredFlags: ReadonlySet<string>;
}

/** Byte offsets into a file. */
interface Range {
  start: number;
  end: number;
}

interface Gathered {
  names: Map<string, NameUse>;
  modules: ModuleUse[];
  literals: Set<string>;
  bound: Set<string>;
  declaredFlags: Set<string>;
}

/** Reads the hidden test files: what stands in other tests than the F2P ones does not count. */
export async function readTestUsage(material: StageMaterial): Promise<TestUsage> {
  const gathered: Gathered = {
    names: new Map(),
    modules: [],
    literals: new Set(),
    bound: new Set(),
    declaredFlags: new Set(),
  };
  const files = new Set(material.f2p.map(({ key }) => key.file));
  for (const [path, source] of material.tests) {
    const language = languageOf(path);
    const tree = await language?.parse(source);
    const facts = await language?.analyse(source);
    if (!(tree instanceof SyntaxTree) || facts === undefined || 'unparsed' in facts) continue;
    // A helper's names count only as brought along; what it uses is its own business.
    const others = files.has(path) ? otherRanges(tree, path, material) : [{ start: 0, end: source.length }];
    const own = testRegions(facts);
    const counts = (at: Range): boolean => !others.some(covers(at)) && (own === null || own.some(covers(at)));
    const belongs = (at: Range): boolean => !files.has(path) || counts(at);
    const foreign = new Set(
      facts.imports
        .filter(({ specifier }) => isBuiltinModule(language, specifier))
        .flatMap(({ localNames }) => localNames),
    );
    const rangeOf = (node: NodeId): Range => ({ start: tree.startOf(node), end: tree.endOf(node) });
    gatherNames(tree, path, gathered, {
      isUse: (node) => counts(rangeOf(node)) && !isAskedOf(tree, node, foreign),
      isBound: (node) => belongs(rangeOf(node)),
    });
    // What a test's own class gives to itself is the test's.
    for (const { name } of facts.attributes) gathered.bound.add(name);
    for (const literal of facts.strings) if (counts(literal) && !literal.isDoc) gathered.literals.add(literal.value);
    gathered.modules.push(...facts.imports.filter(counts).map((statement) => moduleUse(path, statement)));
  }
  return gathered;
}

function covers(at: Range): (range: Range) => boolean {
  return ({ start, end }) => at.start >= start && at.end <= end;
}

/** Where a source file's own tests stand (Rust); null for a file that is a test as a whole. */
function testRegions({ definitions }: SyntaxFacts): Range[] | null {
  const inner = definitions.filter(({ inTest }) => inTest);
  return inner.length === 0 || definitions.every(({ inTest, exported }) => inTest || !exported) ? null : inner;
}

function moduleUse(file: string, statement: ImportStatement): ModuleUse {
  return {
    specifier: statement.specifier,
    stem: resolvedStem(file, statement.specifier) ?? moduleStem(statement.specifier),
    names: statement.names,
    file,
  };
}

/** Written tests of the file that no F2P test is, or is a case of, or stands in; none where some F2P test cannot be found. */
function otherRanges(tree: SyntaxTree, path: string, material: StageMaterial): Range[] {
  const wanted = material.f2p.filter(({ key }) => key.file === path);
  const written = writtenTests(tree);
  if (!wanted.every(({ key }) => written.some((test) => test.matches(key.path)))) return [];
  const chosen = written.filter((test) => wanted.some(({ key }) => test.matches(key.path)));
  return written.filter((test) => !chosen.some((inner) => inner.start >= test.start && inner.end <= test.end));
}

interface NameFilter {
  isUse(node: NodeId): boolean;
  isBound(node: NodeId): boolean;
}

function gatherNames(tree: SyntaxTree, path: string, gathered: Gathered, { isUse, isBound }: NameFilter): void {
  for (let node = 0; node < tree.count; node += 1) {
    if (!tree.isNamed(node)) continue;
    const type = tree.typeOf(node);
    if (type === 'string' || type.endsWith('string_literal')) gatherFlag(tree, node, gathered);
    if (!IDENTIFIER_TYPES.has(type)) continue;
    const role = nameRole(tree, node);
    const name = tree.textOf(node);
    if (role === 'bound') {
      if (isBound(node)) gathered.bound.add(name);
    } else if (role !== 'none' && isUse(node)) {
      const use = gathered.names.get(name) ?? { name, kinds: new Set(), files: new Set() };
      gathered.names.set(name, use);
      use.kinds.add(role);
      use.files.add(path);
    }
  }
}

function isBuiltinModule(language: Language | null, specifier: string): boolean {
  const top = specifier.replace(/^node:/, '').split(/[./:]/)[0] ?? '';
  return language?.builtinNames.has(top) ?? false;
}

/** `INFO` of `logging.INFO`: what a module of the standard library has is no business of the spec. */
function isAskedOf(tree: SyntaxTree, node: NodeId, names: ReadonlySet<string>): boolean {
  const parent = tree.parentOf(node);
  const object = parent === null ? null : tree.childByField(parent, 'object');
  return object !== null && object !== node && names.has(tree.textOf(object));
}

/** Calls that declare a command line's flags. */
const DECLARES =
  /^(?:\w+\.)*(?:option|argument|add_argument|add_option|version_option|help_option|confirmation_option|password_option|Option|Argument|Arg|Flag)$/;

function gatherFlag(tree: SyntaxTree, node: NodeId, gathered: Gathered): void {
  const text = tree.textOf(node).replace(/^["'`]|["'`]$/g, '');
  if (!text.startsWith('-')) return;
  const call = tree.ancestorOfType(node, ['call', 'call_expression'], 4);
  const called = call === null ? null : tree.childByField(call, 'function');
  if (called !== null && DECLARES.test(tree.textOf(called)))
    for (const flag of text.split('/')) gathered.declaredFlags.add(flag.trim());
}
