import { pathBytes, showPath } from '#kernel/bytes.js';

/** What was checked about a state, and what it rests on: a row of provenance.json. */
export interface StateAssertion {
  name: string;
  /** Index into S_0..S_n; null for all of them. */
  state: number | null;
  holds: boolean;
  evidence: string;
}

const SHOWN = 5;

/** A path key for people. */
export function show(path: string): string {
  return showPath(pathBytes(path));
}

/** A line (one character a byte) for people, cut. */
export function shorten(text: string): string {
  const shown = Buffer.from(text, 'latin1').toString('utf8');
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
}

/** The first few, and how many more there are. */
export function listed(items: readonly string[]): string {
  const more = items.length > SHOWN ? ` and ${items.length - SHOWN} more` : '';
  return `${items.slice(0, SHOWN).join('; ')}${more}`;
}
