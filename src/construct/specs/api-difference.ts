import type { Definition } from '#languages/index.js';
import { documentationOf } from './documentation.js';
import type { ContractEntry } from './material.js';
import { isModuleOf, moduleName, moduleStem } from './module-name.js';
import { identifiersIn, isPublic, neededNames } from './needed-names.js';
import { definitionsOf, type ReadFile, type StageReading } from './read-stage.js';
import { isHidden, visibleDefinitions, visibleOwners } from './visible-definitions.js';

/** Entries for definitions, attributes and re-exports that the stage brings or whose head or value it changes. */
export function apiDifference(reading: StageReading): ContractEntry[] {
  const entries: ContractEntry[] = [];
  const movedFrom = departedDefinitions(reading);
  for (const [path, after] of reading.after) {
    const before = reading.before.get(path);
    const old = visibleDefinitions(before);
    for (const [name, definition] of visibleDefinitions(after)) {
      const previous = old.get(name) ?? null;
      const entry = definitionEntry(reading, { path, after, definition, previous });
      if (entry === null) continue;
      const moved = previous === null && movedFrom.has(`${name}\0${definition.signature}`);
      if (!moved || entry.needed.length > 0) entries.push(entry);
    }
    entries.push(...attributeEntries(reading, path, before, after), ...exportEntries(reading, path, before, after));
  }
  return withNamedTypes(reading, withoutHiddenTwins(entries));
}

/** Hidden definitions are told only where no visible one tells the same names. */
function withoutHiddenTwins(entries: readonly ContractEntry[]): ContractEntry[] {
  const hidden = ({ name }: ContractEntry): boolean => name.split('.').some(isHidden);
  const told = new Set(entries.filter((entry) => !hidden(entry)).flatMap(({ needed }) => needed));
  return entries.filter(
    (entry) => !hidden(entry) || (entry.needed.length > 0 && !entry.needed.every((name) => told.has(name))),
  );
}

/** Types that the heads of entries name and that are new as well: a head is of no use without them. */
function withNamedTypes(reading: StageReading, entries: ContractEntry[]): ContractEntry[] {
  const listed = new Set(entries.map(({ name }) => name));
  for (const entry of entries) {
    const words = identifiersIn(entry.signature ?? '');
    for (const [path, after] of reading.after) {
      const old = definitionsOf(reading.before.get(path));
      for (const [name, definition] of definitionsOf(after)) {
        const isType = ['type', 'interface', 'enum', 'class'].includes(definition.kind) && !isHidden(definition.name);
        if (!isType || !words.includes(name) || listed.has(name) || old.has(name)) continue;
        listed.add(name);
        entries.push(newEntry(reading, path, after, definition));
        for (const member of definitionsOf(after).values()) {
          if (!member.qualifiedName.startsWith(`${name}.`) || listed.has(member.qualifiedName)) continue;
          listed.add(member.qualifiedName);
          entries.push(newEntry(reading, path, after, member));
        }
      }
    }
  }
  return entries;
}

function newEntry(reading: StageReading, path: string, after: ReadFile, definition: Definition): ContractEntry {
  return {
    kind: definition.kind,
    name: definition.qualifiedName.replace(/#\d+$/, ''),
    module: moduleOf(reading, path, definition.qualifiedName),
    signature: ownSignature(definition, after),
    value: definition.value !== null && definition.value.length > MAX_VALUE ? null : definition.value,
    error: null,
    examples: [],
    change: 'new',
    needed: [],
  };
}

interface Change {
  path: string;
  after: ReadFile;
  definition: Definition;
  previous: Definition | null;
}

function definitionEntry(reading: StageReading, { path, after, definition, previous }: Change): ContractEntry | null {
  if (definition.kind === 'module') return null;
  const signature = ownSignature(definition, after);
  const sameHead = signature === null || (previous !== null && headOf(previous) === headOf(definition));
  if (previous !== null && sameHead && previous.value === definition.value) return null;
  const needed = neededNames(reading, after, definition, previous);
  if (needed.length === 0 && !isToldAnyway(reading, path, after, definition, previous)) return null;
  return { ...newEntry(reading, path, after, definition), change: previous === null ? 'new' : 'changed', needed };
}

/** A class's head is its name and bases; which hidden bases it has may change without anybody noticing. */
function headOf({ kind, signature }: Definition): string {
  return kind === 'class' ? signature.replace(/\(\)$/, '') : signature;
}

/** What no test uses is told where it is visible and meant to be used: changed, documented, named in prose, or part of such. */
function isToldAnyway(
  ...[reading, path, after, definition, previous]: [StageReading, string, ReadFile, Definition, Definition | null]
): boolean {
  if (!isPublic(definition) || moduleStem(path).split('/').some(isHidden)) return false;
  if (previous !== null) return definition.kind !== 'class' && definition.kind !== 'variable';
  const owner = definition.qualifiedName.split('.')[0] as string;
  const { messages, docs } = reading.material;
  const named = new RegExp(`(?:^|[^\\w$])${definition.name.replaceAll('$', '\\$')}(?:[^\\w$]|$)`);
  return (
    documentationOf(after, definition) !== null ||
    (definition.qualifiedName !== owner && reading.usage.names.has(owner)) ||
    messages.some((message) => named.test(message)) ||
    docs.some((doc) => named.test(doc.after.toString('utf8')) && !named.test(doc.before.toString('utf8')))
  );
}

const MAX_VALUE = 300;

/** The head, or null for types whose members are told one by one. A long value is the source's business. */
function ownSignature(definition: Definition, file: ReadFile): string | null {
  const prefix = `${definition.qualifiedName}.`;
  const hasMembers = file.facts.definitions.some(({ qualifiedName }) => qualifiedName.startsWith(prefix));
  if (definition.kind === 'type' && hasMembers) return null;
  const { kind, signature, value } = definition;
  if (!['variable', 'constant', 'field'].includes(kind)) return signature;
  const [head = '', ...rest] = signature.split(/\s=(?![=>])/);
  const tooMuch = signature.length > (value === null ? 100 : MAX_VALUE) || identifiersIn(rest.join(' ')).some(isHidden);
  return tooMuch ? head.trim() : signature;
}

function attributeEntries(
  reading: StageReading,
  path: string,
  before: ReadFile | undefined,
  after: ReadFile,
): ContractEntry[] {
  const { usage, material } = reading;
  const old = new Set(before === undefined ? [] : attributeNames(before));
  const known = visibleDefinitions(after);
  const fresh = [...new Set(attributeNames(after))].filter((name) => !old.has(name) && !known.has(name));
  return fresh.flatMap((qualified) => {
    const owner = qualified.slice(0, qualified.lastIndexOf('.'));
    const name = qualified.slice(owner.length + 1);
    const isUsed = usage.names.get(name)?.kinds.has('attribute') ?? false;
    // A common name is asked of something else, unless the tests know the class.
    const isMeant = !material.workspace.hasName(name) || (!isHidden(owner) && usage.names.has(owner));
    const entry = {
      kind: 'attribute' as const,
      name: qualified,
      module: moduleOf(reading, path, owner),
      signature: null,
      value: null,
      error: null,
      examples: [],
    };
    return isUsed && isMeant ? [{ ...entry, change: 'new' as const, needed: [name] }] : [];
  });
}

function attributeNames(file: ReadFile): string[] {
  return file.facts.attributes.flatMap(({ owner, name }) =>
    visibleOwners(file, owner).map((visible) => `${visible}.${name}`),
  );
}

/** Names that a package's front newly offers although they were defined before. */
function exportEntries(
  reading: StageReading,
  path: string,
  before: ReadFile | undefined,
  after: ReadFile,
): ContractEntry[] {
  if (before === undefined || !isFront(path)) return [];
  const old = offeredNames(path, before);
  const defined = new Set([...reading.after.values()].flatMap((file) => [...definitionsOf(file).keys()]));
  const existed = new Set([...reading.before.values()].flatMap((file) => [...definitionsOf(file).keys()]));
  return [...offeredNames(path, after)]
    .filter((name) => !old.has(name) && (!defined.has(name) || existed.has(name)) && reading.usage.names.has(name))
    .map((name) => ({
      kind: 'export' as const,
      name,
      module: moduleName(path),
      signature: null,
      value: null,
      error: null,
      examples: [],
      change: 'new' as const,
      needed: [name],
    }));
}

function isFront(path: string): boolean {
  return /(?:^|\/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|lib\.rs|mod\.rs)$/.test(path);
}

function offeredNames(path: string, file: ReadFile): Set<string> {
  const passes = path.includes('__init__.py')
    ? file.facts.imports
    : file.facts.imports.filter(({ reExport }) => reExport);
  return new Set(passes.flatMap(({ names }) => names).filter((name) => name !== '*'));
}

/** Where tests take a definition from: as they do it, else through a front that passes it on, else its own file. */
function moduleOf(reading: StageReading, path: string, name: string): string {
  const top = name.split('.')[0] as string;
  const direct = reading.usage.modules.some(({ specifier, stem }) => isModuleOf(path, specifier, stem));
  const fronts = [...reading.after].filter(
    ([front, file]) => isFront(front) && front !== path && offeredNames(front, file).has(top),
  );
  if (direct || fronts.length === 0) return moduleName(path);
  const used = fronts.find(([front]) =>
    reading.usage.modules.some(({ specifier, stem }) => isModuleOf(front, specifier, stem)),
  );
  return moduleName((used ?? fronts[0])?.[0] ?? path);
}

/** Top-level definitions that their file no longer has: the same head elsewhere has only moved. */
function departedDefinitions(reading: StageReading): Set<string> {
  const departed = new Set<string>();
  for (const [path, file] of reading.before) {
    const now = definitionsOf(reading.after.get(path));
    for (const [name, definition] of definitionsOf(file))
      if (!now.has(name)) departed.add(`${name}\0${definition.signature}`);
  }
  return departed;
}

/** Whether tests import a module that the workspace lacks; the entry tells where it is to be. */
export function moduleEntries(reading: StageReading): ContractEntry[] {
  const entries = new Map<string, ContractEntry>();
  for (const path of reading.after.keys()) {
    if (reading.before.has(path) || reading.material.workspace.hasModule(moduleStem(path))) continue;
    const use = reading.usage.modules.find(({ specifier, stem }) => isModuleOf(path, specifier, stem));
    if (use === undefined) continue;
    const name = moduleName(path);
    entries.set(name, {
      kind: 'module',
      name,
      module: null,
      signature: null,
      value: null,
      error: null,
      examples: [],
      change: 'new',
      needed: [name],
    });
  }
  return [...entries.values()];
}
