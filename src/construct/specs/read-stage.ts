import { type Definition, languageOf, type SyntaxFacts, SyntaxTree } from '#languages/index.js';
import type { StageMaterial } from './material.js';
import { readTestUsage, type TestUsage } from './test-usage.js';

/** A source file of the stage, parsed. */
export interface ReadFile {
  path: string;
  facts: SyntaxFacts;
  tree: SyntaxTree;
}

/** A stage's material, parsed once for all rules. */
export interface StageReading {
  material: StageMaterial;
  before: ReadonlyMap<string, ReadFile>;
  after: ReadonlyMap<string, ReadFile>;
  usage: TestUsage;
  /** Identifiers of S_(i+1)'s changed files that none of S_i's changed files has. */
  newIdentifiers: ReadonlySet<string>;
}

/** Parses what the stage changed and what its F2P tests use. Files of unknown languages or unreadable ones are left out. */
export async function readStage(material: StageMaterial): Promise<StageReading> {
  const before = await readFiles(material.before);
  const after = await readFiles(material.after);
  const old = identifiersOf(before);
  return {
    material,
    before,
    after,
    usage: await readTestUsage(material),
    newIdentifiers: new Set([...identifiersOf(after)].filter((name) => !old.has(name))),
  };
}

async function readFiles(files: ReadonlyMap<string, Buffer>): Promise<Map<string, ReadFile>> {
  const read = new Map<string, ReadFile>();
  for (const [path, source] of files) {
    const language = languageOf(path);
    const facts = await language?.analyse(source);
    const tree = await language?.parse(source);
    if (facts === undefined || 'unparsed' in facts || !(tree instanceof SyntaxTree)) continue;
    read.set(path, { path, facts, tree });
  }
  return read;
}

function identifiersOf(files: ReadonlyMap<string, ReadFile>): Set<string> {
  return new Set([...files.values()].flatMap(({ facts }) => [...facts.identifiers.keys()]));
}

/** Definitions outside test code and outside the bodies of functions, keyed by qualified name. */
export function definitionsOf(file: ReadFile | undefined): Map<string, Definition> {
  const own = new Map<string, Definition>();
  for (const definition of file?.facts.definitions ?? []) {
    const owner = own.get(definition.qualifiedName.split('.').slice(0, -1).join('.'));
    const isInner =
      definition.qualifiedName.includes('.') && owner !== undefined && ['function', 'method'].includes(owner.kind);
    if (!definition.inTest && !isInner) own.set(definition.qualifiedName, definition);
  }
  return own;
}
