import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { runLayout } from '#documents/layout.js';
import { type Verdict, verdictDocument } from '#documents/verdict.js';
import { errorCodeOf } from '#kernel/faults.js';
import { readTextIfAny } from '#store/index.js';
import type { GatePlace } from './fold-run.js';

/**
 * The verdict that counts at each gate of a run: the first one or, where it was graded again, the newest that no other
 * derives from. Older ones stay on disk.
 */
export async function readVerdicts(
  layout: ReturnType<typeof runLayout>,
  places: readonly GatePlace[],
): Promise<Map<GatePlace, Verdict>> {
  const first: Verdict[] = [];
  for (const place of places) {
    const verdict = await readVerdict(layout.gate(place));
    if (verdict !== null) first.push(verdict);
  }
  const all = [...first, ...(await readRegrades(layout.regrades))];
  const superseded = new Set(all.map(({ derivedFrom }) => derivedFrom));
  const newest = new Map<GatePlace, Verdict>();
  for (const verdict of all) {
    if (superseded.has(verdict.id)) continue;
    const held = newest.get(verdict.stage);
    if (held === undefined || isLater(verdict, held)) newest.set(verdict.stage, verdict);
  }
  return newest;
}

/** A verdict's file, or null where there is none. @throws Fault (input) where it is damaged */
export async function readVerdict(path: string): Promise<Verdict | null> {
  const text = await readTextIfAny(path);
  return text === null ? null : verdictDocument.parse(text, path);
}

async function readRegrades(folder: string): Promise<Verdict[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
  const verdicts: Verdict[] = [];
  for (const name of names.sort()) {
    const verdict = await readVerdict(join(folder, name, 'gate.json'));
    if (verdict !== null) verdicts.push(verdict);
  }
  return verdicts;
}

function isLater(a: Verdict, b: Verdict): boolean {
  return a.gradedAt === b.gradedAt ? a.id > b.id : a.gradedAt > b.gradedAt;
}
