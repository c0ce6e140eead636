import { describe, expect, it } from 'vitest';
import type { RawChange } from '../raw/raw-history.js';
import { LineageTracker } from './lineage-tracker.js';

function change(status: RawChange['status'], path: string, from: string | null = null): RawChange {
  return {
    path,
    from,
    status,
    before: status === 'added' ? 'absent' : 'file',
    after: status === 'deleted' ? 'absent' : 'file',
    oldBlob: status === 'added' ? null : `old ${path}`,
    newBlob: status === 'deleted' ? null : `new ${path}`,
  };
}

/** Lineage of each path of each commit. */
function lineagesOf(commits: { changes: RawChange[]; merge?: boolean }[]): {
  seen: Record<string, number>[];
  tracker: LineageTracker;
} {
  const tracker = new LineageTracker();
  const seen = commits.map(({ changes, merge = false }, index) =>
    Object.fromEntries(tracker.apply(index, changes, merge).map(({ path, lineage }) => [path, lineage])),
  );
  return { seen, tracker };
}

describe('the identity of a file', () => {
  it('goes along with renames, also when two files swap their names', () => {
    const { seen, tracker } = lineagesOf([
      { changes: [change('added', 'a.py'), change('added', 'b.py')] },
      { changes: [change('renamed', 'b.py', 'a.py'), change('renamed', 'a.py', 'b.py')] },
      { changes: [change('renamed', 'pkg/c.py', 'b.py')] },
    ]);
    expect(seen[1]).toEqual({ 'b.py': seen[0]?.['a.py'], 'a.py': seen[0]?.['b.py'] });
    expect(tracker.finish()[seen[0]?.['a.py'] ?? -1]?.paths).toEqual(['a.py', 'b.py', 'pkg/c.py']);
  });

  it('is new where a path is taken again after its file moved away, and the old one where a deleted file comes back', () => {
    const { seen } = lineagesOf([
      { changes: [change('added', 'utils.py'), change('added', 'gone.py')] },
      { changes: [change('renamed', 'core/utils.py', 'utils.py'), change('deleted', 'gone.py')] },
      { changes: [change('added', 'utils.py'), change('added', 'gone.py')] },
    ]);
    expect(seen[2]?.['utils.py']).not.toBe(seen[0]?.['utils.py']);
    expect(seen[1]?.['core/utils.py']).toBe(seen[0]?.['utils.py']);
    expect(seen[2]?.['gone.py']).toBe(seen[0]?.['gone.py']);
  });

  it('holds for small files of a folder that moved, which no comparison of contents would find', () => {
    const { seen } = lineagesOf([
      { changes: ['x.py', 'y.py', '__init__.py'].map((name) => change('added', `click/${name}`)) },
      {
        changes: [
          change('renamed', 'src/click/x.py', 'click/x.py'),
          change('renamed', 'src/click/y.py', 'click/y.py'),
          change('deleted', 'click/__init__.py'),
          change('added', 'src/click/__init__.py'),
        ],
      },
    ]);
    expect(seen[1]?.['src/click/__init__.py']).toBe(seen[0]?.['click/__init__.py']);
  });

  it('passes through merges: what a branch renamed is renamed, and work on the old name is work on the same file', () => {
    const { seen, tracker } = lineagesOf([
      { changes: [change('added', 'a.py')] },
      { changes: [change('renamed', 'b.py', 'a.py')] },
      { changes: [change('modified', 'a.py')] },
      { changes: [change('deleted', 'a.py'), change('added', 'b.py')], merge: true },
      { changes: [change('modified', 'b.py')] },
    ]);
    const own = seen[0]?.['a.py'];
    expect([seen[1]?.['b.py'], seen[2]?.['a.py'], seen[3]?.['b.py'], seen[4]?.['b.py']]).toEqual([own, own, own, own]);
    expect(tracker.lineages).toHaveLength(1);
    expect(tracker.lineages[0]?.touchedBy).toEqual([0, 1, 2, 4]);
  });
});
