import type { PastGroup } from '#construct/chains/index.js';
import { NO_REFERENCES } from './no-references.js';

/** A change group with one source and one test file; what a test is about is given. */
export function makePastGroup(index: number, more: Partial<PastGroup> = {}): PastGroup {
  const digits = String(index).padStart(12, '0');
  return {
    id: `g-${digits}`,
    index,
    kind: 'single',
    commits: [digits],
    commitIndexes: [index],
    landedBy: index,
    title: `Change ${index}`,
    message: `Change ${index}`,
    at: new Date(1_600_000_000_000 + index * 86_400_000).toISOString(),
    author: 'A U Thor',
    intent: 'feature',
    files: [
      { lineage: 0, path: 'src/a.py', role: 'source', status: 'modified', addedLines: 10, removedLines: 0 },
      { lineage: 1, path: 'tests/test_a.py', role: 'test', status: 'modified', addedLines: 10, removedLines: 0 },
    ],
    definitions: [],
    importsAdded: [],
    calls: new Map(),
    testCalls: new Map(),
    identifiers: new Map(),
    testIdentifiers: new Map(),
    reworked: new Map(),
    references: NO_REFERENCES,
    words: [],
    tests: [{ path: 'tests/test_a.py', lineage: 1, name: `test_${index}`, change: 'added' }],
    sourceLinesAdded: 10,
    testLinesAdded: 10,
    revertedBy: null,
    relandOf: null,
    duplicateOf: null,
    byBot: false,
    ...more,
  };
}
