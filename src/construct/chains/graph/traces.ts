import type { PastDefinition, PastGroup } from '../past.js';
import { ASPECT } from './aspect.js';
import { pathTerms, titleTerms, traceName } from './names.js';

/** What a group leaves behind, by key: `d:` definition, `f:` file, `n:` name, `r:` reference. The value is its aspects. */
export type Traces = Map<string, number>;

/** Names shorter than this, and those that every program has, say nothing of a feature. */
const MIN_NAME = 3;

/** The traces of a group. Paths and names are not looked up anywhere: what is common is found by counting. */
export function tracesOf(group: PastGroup): Traces {
  const traces: Traces = new Map();
  const add = (key: string, aspect: number): void => void traces.set(key, (traces.get(key) ?? 0) | aspect);
  const addName = (name: string, aspect: number): void => {
    const term = traceName(name);
    if (term.length >= MIN_NAME) add(`n:${term}`, aspect);
  };
  for (const definition of group.definitions) addDefinition(definition, add, addName);
  for (const { lineage, role, path } of group.files) {
    if (role !== 'source' && role !== 'test') continue;
    add(`f:${lineage}`, role === 'source' ? ASPECT.changed : ASPECT.tested);
    for (const term of pathTerms(path)) add(`n:${term}`, ASPECT.filed);
  }
  for (const [name, more] of group.calls) if (more > 0) addName(name, ASPECT.called);
  for (const name of group.identifiers.keys()) addName(name, ASPECT.written);
  for (const [name, more] of group.testCalls) if (more > 0) addName(name, ASPECT.tested);
  for (const name of group.testIdentifiers.keys()) addName(name, ASPECT.tested);
  for (const term of titleTerms(group.title)) add(`n:${term}`, ASPECT.titled);
  for (const word of group.words) addName(word, ASPECT.said);
  for (const { names, targets } of group.importsAdded)
    if (targets.length > 0) for (const name of names) addName(name, ASPECT.imported);
  addReferences(group, add);
  return traces;
}

type Add = (key: string, aspect: number) => void;

function addDefinition(definition: PastDefinition, add: Add, addName: Add): void {
  const { key, name, change, inTest, kind } = definition;
  // What is private by its name introduces nothing that a user could name.
  const introduces = change === 'added' && !name.startsWith('_');
  const aspect = inTest ? ASPECT.tested : introduces ? ASPECT.added : ASPECT.changed;
  // What only moved was not worked on.
  if (change !== 'moved') add(`d:${key}`, aspect);
  if (kind === 'test') for (const term of titleTerms(name)) add(`n:${term}`, ASPECT.tested);
  else if (change !== 'moved') addName(name, aspect);
}

function addReferences({ references, commitIndexes }: PastGroup, add: Add): void {
  for (const number of [...references.issues, ...references.closes]) add(`r:#${number}`, ASPECT.cited);
  if (references.pullRequest !== null) add(`r:#${references.pullRequest}`, ASPECT.cited);
  for (const commit of [...references.commits, ...commitIndexes]) add(`r:${commit}`, ASPECT.cited);
}
