import { apiDifference, moduleEntries } from './api-difference.js';
import { flagDifference } from './flag-difference.js';
import { type ContractEntry, ENTRY_KINDS } from './material.js';
import { messageDifference } from './message-difference.js';
import type { StageReading } from './read-stage.js';

/** What the stage's contract has to tell, one entry a line, sorted by kind and name; nothing twice. */
export function contractEntries(reading: StageReading): ContractEntry[] {
  const entries = [
    ...moduleEntries(reading),
    ...apiDifference(reading),
    ...messageDifference(reading),
    ...flagDifference(reading),
  ];
  const byLine = new Map<string, ContractEntry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.kind, entry.name, entry.signature, entry.module]);
    if (!byLine.has(key)) byLine.set(key, entry);
  }
  const rank = (entry: ContractEntry): number => ENTRY_KINDS.indexOf(entry.kind);
  const place = (entry: ContractEntry): string => `${entry.module ?? ''}\0${entry.name}`;
  const grouped = (entry: ContractEntry): boolean =>
    rank(entry) >= ENTRY_KINDS.indexOf('flag') || entry.kind === 'module';
  return [...byLine.values()].sort((a, b) => {
    if (grouped(a) || grouped(b)) return rank(a) - rank(b) || compare(place(a), place(b));
    return compare(place(a), place(b)) || rank(a) - rank(b);
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
