import type { Definition } from '#languages/index.js';
import { definitionsOf, type ReadFile } from './read-stage.js';

/**
 * A file's definitions as importers meet them: what a hidden base class brings is told of the visible classes that
 * inherit it, and hidden bases are left out of heads, so that how things are divided inside is nobody's to copy.
 */
export function visibleDefinitions(file: ReadFile | undefined): Map<string, Definition> {
  const own = definitionsOf(file);
  const visible = new Map<string, Definition>();
  for (const [name, definition] of own) {
    visible.set(
      name,
      definition.kind === 'class' ? { ...definition, signature: withoutHiddenBases(definition.signature) } : definition,
    );
  }
  for (const [heir, inherited] of inheritedMembers(own)) visible.set(heir, inherited);
  return visible;
}

function inheritedMembers(own: ReadonlyMap<string, Definition>): Map<string, Definition> {
  const members = new Map<string, Definition>();
  const hidden = [...own.values()].filter(({ kind, name }) => kind === 'class' && isHidden(name));
  if (hidden.length === 0) return members;
  for (const heir of own.values()) {
    if (heir.kind !== 'class' || isHidden(heir.name)) continue;
    for (const base of hiddenBases(heir, hidden, own)) {
      for (const [name, member] of own) {
        const inner = name.startsWith(`${base.qualifiedName}.`) ? name.slice(base.qualifiedName.length + 1) : null;
        const taken = `${heir.qualifiedName}.${inner}`;
        if (inner === null || inner.includes('.') || own.has(taken) || members.has(taken)) continue;
        members.set(taken, { ...member, qualifiedName: taken, exported: heir.exported && !isHidden(member.name) });
      }
    }
  }
  return members;
}

/** The classes by which importers meet what a class has: itself, or those that inherit it where it is hidden. */
export function visibleOwners(file: ReadFile, owner: string): string[] {
  const own = definitionsOf(file);
  const hidden = [...own.values()].filter(({ kind, name }) => kind === 'class' && isHidden(name));
  if (!hidden.some(({ qualifiedName }) => qualifiedName === owner)) return [owner];
  const heirs = [...own.values()].filter(
    (heir) =>
      heir.kind === 'class' &&
      !isHidden(heir.name) &&
      hiddenBases(heir, hidden, own).some(({ qualifiedName }) => qualifiedName === owner),
  );
  return heirs.length === 0 ? [owner] : heirs.map(({ qualifiedName }) => qualifiedName);
}

/** Hidden classes that a class inherits, directly or through other hidden ones, nearest first. */
function hiddenBases(
  heir: Definition,
  hidden: readonly Definition[],
  own: ReadonlyMap<string, Definition>,
): Definition[] {
  const found: Definition[] = [];
  const queue = [heir];
  for (let next = queue.shift(); next !== undefined && found.length < 32; next = queue.shift()) {
    for (const base of basesOf(next.signature)) {
      const definition = own.get(base);
      if (definition === undefined || !hidden.includes(definition) || found.includes(definition)) continue;
      found.push(definition);
      queue.push(definition);
    }
  }
  return found;
}

function basesOf(signature: string): string[] {
  return (/\((.*)\)/s.exec(signature)?.[1] ?? '').split(',').map((base) => base.replace(/\[.*$/s, '').trim());
}

function withoutHiddenBases(signature: string): string {
  const match = /^(class \w+)\((.*)\)$/s.exec(signature);
  if (match === null) return signature;
  const kept = (match[2] as string).split(/,\s*(?![^[]*\])/).filter((base) => !isHidden(base.trim()));
  return kept.length === 0 ? (match[1] as string) : `${match[1]}(${kept.join(', ')})`;
}

export function isHidden(name: string): boolean {
  return name.startsWith('_') && !/^__\w+__/.test(name);
}
