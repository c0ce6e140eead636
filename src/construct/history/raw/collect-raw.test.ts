import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '#git/index.js';
import { RawCollector } from './collect-raw.js';
import { RawHistory } from './raw-history.js';

const HEAD = 'f'.repeat(40);
const COMMITS = [HEAD, 'e'.repeat(40), 'd'.repeat(40)];

function added(path: string): RawRecord {
  const nothing = '0'.repeat(40);
  return { oldMode: 0, newMode: 0o100644, oldOid: nothing, newOid: 'a'.repeat(40), status: 'A', path, from: null };
}

/** Paths by commit, after records have come in the given order. */
function collect(records: readonly { commit: string; path: string }[]): Map<string, string[]> {
  const collector = new RawCollector();
  COMMITS.forEach((id, at) => {
    collector.commit(id, COMMITS.slice(at + 1, at + 2));
  });
  for (const { commit, path } of records) collector.record(commit, added(path));
  const head = { head: HEAD, gitVersion: '', idBytes: 20, renames: 'similar', completeness: 'complete' } as const;
  const raw = new RawHistory(head, collector.finish());
  return new Map(
    Array.from({ length: raw.commitCount }, (_, commit) => [
      raw.idOf(commit),
      raw.changesOf(commit).map(({ path }) => path),
    ]),
  );
}

describe('what is collected from a raw walk', () => {
  it('gives each commit its own records, however the records of the streams come in between one another', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(COMMITS.length - 1), { maxLength: 40 }), (turns) => {
        const records = turns.map((turn, at) => ({ commit: COMMITS[turn] as string, path: `${at}.py` }));
        const found = collect(records);
        for (const id of COMMITS)
          expect(found.get(id)).toEqual(records.filter(({ commit }) => commit === id).map(({ path }) => path));
      }),
    );
  });
});
