import type { Definition } from '#languages/index.js';
import type { ReadFile, StageReading } from './read-stage.js';
import type { UseKind } from './test-usage.js';
import { isHidden } from './visible-definitions.js';

const CONSTRUCTORS = new Set(['__init__', '__new__', 'constructor', 'new']);

/** Whether importers can see a definition; the language's own protocol methods are nothing to tell, constructors are. */
export function isPublic({ exported, name }: Definition): boolean {
  return exported && (!/^__\w+__$/.test(name) || CONSTRUCTORS.has(name));
}

/**
 * Names that F2P tests use and a definition tells: its own where it is new or its head or value changed, and the
 * parameters and types that its head gained.
 */
export function neededNames(
  reading: StageReading,
  file: ReadFile,
  definition: Definition,
  previous: Definition | null,
): string[] {
  const { usage, material } = reading;
  if (/^(?:private|protected)\b|^#/.test(definition.signature)) return [];
  const needed = new Set<string>();
  const own = ownName(definition);
  const ownUse = usage.names.get(own);
  if (ownUse !== undefined && isReachable(reading, definition, ownUse.kinds)) needed.add(own);
  const earlier = new Set(previous === null ? [] : identifiersIn(previous.signature));
  for (const name of identifiersIn(definition.signature)) {
    const kinds = usage.names.get(name)?.kinds;
    // A helper of the tests may have a parameter of that name; a name that is nowhere else is the code's.
    const isHelpers = usage.bound.has(name) && material.workspace.hasName(name);
    if (!earlier.has(name) && kinds !== undefined && isOption(kinds) && !isHelpers) needed.add(name);
  }
  // A hidden definition is asked for by names that nothing else explains.
  return isSeen(file, definition) ? [...needed] : [...needed].filter((name) => !material.workspace.hasName(name));
}

function ownName(definition: Definition): string {
  const owner = definition.qualifiedName.split('.').slice(-2, -1)[0];
  return CONSTRUCTORS.has(definition.name) && owner !== undefined ? owner : definition.name;
}

function isOption(kinds: ReadonlySet<UseKind>): boolean {
  return kinds.has('keyword') || kinds.has('key');
}

/** A name in a test need not be the definition of that name: members are used as members, others are looked up. */
function isReachable(reading: StageReading, definition: Definition, kinds: ReadonlySet<UseKind>): boolean {
  if (definition.qualifiedName.includes('.'))
    return kinds.has('attribute') || isOption(kinds) || CONSTRUCTORS.has(definition.name);
  return (
    (kinds.has('name') || kinds.has('import') || kinds.has('attribute')) && !reading.usage.bound.has(definition.name)
  );
}

/** Exported, or a member of a shape that options have although the shape's own name is not exported. */
function isSeen({ facts }: ReadFile, definition: Definition): boolean {
  if (definition.qualifiedName.split('.').some(isHidden)) return false;
  if (definition.exported) return true;
  const ownerName = definition.qualifiedName.split('.').slice(0, -1).join('.');
  const owner = facts.definitions.find(({ qualifiedName }) => qualifiedName === ownerName);
  return owner !== undefined && ['interface', 'type'].includes(owner.kind);
}

/** Identifiers of a head, those inside its string literals left out. */
export function identifiersIn(signature: string): string[] {
  return signature.replace(/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/g, ' ').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}
