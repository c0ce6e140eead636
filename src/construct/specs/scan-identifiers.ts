import { languageOf } from '#languages/index.js';
import { comparableText } from './code-span.js';
import { contractEntries } from './contract-entries.js';
import { readContract, undeclaredEntries } from './contract-text.js';
import { FLAG } from './flag-difference.js';
import type { SpecText, StageMaterial } from './material.js';
import { isModuleOf } from './module-name.js';
import { readStage, type StageReading } from './read-stage.js';
import type { ModuleUse } from './test-usage.js';

/** A name or text that hidden tests use and nothing that the agent sees offers. */
export interface MissingName {
  name: string;
  kind: 'declaration' | 'name' | 'attribute' | 'keyword' | 'key' | 'import' | 'module' | 'flag' | 'text';
  /** In words, for who has to mend the spec. */
  why: string;
  /** Test files (path keys) that use it, where it is a name. */
  files: string[];
}

/**
 * Lists what the stage's F2P tests use and neither its spec, earlier specs, the workspace, the language nor the tests
 * themselves offer. Two readings are joined: what the difference of the states shows must be declared, line by line; and
 * every other name that the tests use must stand somewhere.
 * @param specs of this stage and all earlier ones, in order; this stage's last
 */
export async function scanIdentifiers(material: StageMaterial, specs: readonly SpecText[]): Promise<MissingName[]> {
  return missingNames(await readStage(material), specs);
}

/** The scan over a stage that has been read already. */
export function missingNames(reading: StageReading, specs: readonly SpecText[]): MissingName[] {
  const missing = [...undeclared(reading, specs), ...unoffered(reading, specs)];
  const byName = new Map<string, MissingName>();
  for (const found of missing) if (!byName.has(found.name)) byName.set(found.name, found);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function undeclared(reading: StageReading, specs: readonly SpecText[]): MissingName[] {
  // An earlier contract may name the same definition with another head: a change is this stage's to tell.
  const lines = readContract(specs.at(-1)?.contract ?? '');
  const needed = contractEntries(reading).filter((entry) => entry.needed.length > 0);
  return undeclaredEntries(needed, lines).map((entry) => ({
    name: entry.name,
    kind: 'declaration' as const,
    why: `no line of the contract declares the ${entry.kind} although tests use ${entry.needed.slice(0, 3).join(', ')}`,
    files: [],
  }));
}

function unoffered(reading: StageReading, specs: readonly SpecText[]): MissingName[] {
  const { usage, material, newIdentifiers } = reading;
  const text = specs.map(({ requirement, contract }) => `${requirement}\n${contract}`).join('\n');
  const words = new Set(text.match(/[\p{L}_$#][\p{L}\p{N}_$]*/gu) ?? []);
  const builtins = builtinNames(material);
  const isOffered = (name: string): boolean =>
    words.has(name) || builtins.has(name) || usage.bound.has(name) || material.workspace.hasName(name);
  const missing: MissingName[] = [];
  const foreign = namesFromElsewhere(reading);
  for (const { name, kinds, files } of usage.names.values()) {
    if (isOffered(name) || foreign.has(name)) continue;
    const kind = (['import', 'keyword', 'attribute', 'name', 'key'] as const).find((one) => kinds.has(one)) ?? 'name';
    // An entry of an object is the test's own data unless the source has come to know that name.
    if (kind === 'key' && !newIdentifiers.has(name)) continue;
    missing.push({
      name,
      kind,
      why: `tests use it as ${kind === 'key' ? 'an entry of an object' : `a ${kind}`}`,
      files: [...files],
    });
  }
  return [...missing, ...missingModules(reading, text), ...missingFlags(reading, text)];
}

/** Names taken from packages that are not the workspace's: they come with the package, which is asked for by itself. */
function namesFromElsewhere({ usage, after, material }: StageReading): Set<string> {
  const isOurs = ({ specifier, stem }: ModuleUse): boolean =>
    specifier.startsWith('.') ||
    /^(?:crate|self|super)\b/.test(specifier) ||
    material.workspace.hasModule(stem) ||
    [...after.keys()].some((path) => isModuleOf(path, specifier, stem));
  const ours = new Set(usage.modules.filter(isOurs).flatMap(({ names }) => names));
  return new Set(
    usage.modules
      .filter((use) => !isOurs(use))
      .flatMap(({ names }) => names)
      .filter((name) => !ours.has(name)),
  );
}

function builtinNames({ tests }: StageMaterial): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of tests.keys()) for (const name of languageOf(path)?.builtinNames ?? []) names.add(name);
  return names;
}

function missingModules({ usage, material }: StageReading, text: string): MissingName[] {
  const stems = new Set([...material.tests.keys()].map((path) => path.replace(/\.[^./]+$/, '')));
  const missing = usage.modules.filter(({ specifier, stem }) => {
    const top = specifier.replace(/^node:/, '').split(/[./:]/)[0] ?? '';
    const builtin = builtinNames(material).has(top);
    const known = material.workspace.hasModule(stem) || material.workspace.hasText(specifier) || stems.has(stem);
    return !builtin && !known && !material.workspace.hasName(top) && !text.includes(stem) && !text.includes(specifier);
  });
  return missing.map(({ specifier, file }) => ({
    name: specifier,
    kind: 'module',
    why: 'tests import it',
    files: [file],
  }));
}

/** Flags that tests pass, that they do not declare themselves and that the source knows by name or letter. */
function missingFlags({ usage, material, newIdentifiers }: StageReading, text: string): MissingName[] {
  const folded = comparableText(text);
  return [...usage.literals]
    .filter(
      (literal) =>
        FLAG.test(literal) &&
        !usage.declaredFlags.has(literal) &&
        newIdentifiers.has(literal.replace(/^-+/, '').replaceAll('-', '_')),
    )
    .filter((literal) => !material.workspace.hasText(literal) && !folded.includes(literal))
    .map((name) => ({ name, kind: 'flag', why: 'tests pass it', files: [] }));
}
