import { describe, expect, it } from 'vitest';
import { evidenceTypes } from '#documents/chains.js';
import { makePastGroup } from '../../../../test/support/make-past-group.js';
import { buildGraph } from '../build-graph.js';
import type { Past, PastGroup } from '../past.js';
import { joinTested } from './join-tested.js';
import { lineTraces } from './line-traces.js';
import { pathTerms, titleTerms, traceName } from './names.js';
import { selectNodes } from './select-nodes.js';

const ALL = new Set(evidenceTypes.options);
const past = (groups: PastGroup[], hubs: string[] = []): Past => ({
  head: '',
  completeness: 'complete',
  commits: groups.map(({ index, commits }) => ({ index, id: commits[0] ?? '', parents: [index - 1] })),
  groups,
  lineages: [
    { paths: ['src/a.py'], touchedBy: [] },
    { paths: ['tests/test_a.py'], touchedBy: [] },
  ],
  topology: { hubs: new Set(hubs) },
});
const name = (word: string): Partial<PastGroup> => ({ title: `Add ${word}`, identifiers: new Map([[word, 3]]) });

describe('names as traces', () => {
  it('are one however they are written, and two words of a title can be one name', () => {
    expect(new Set(['max-results', 'max_results', 'maxResults'].map(traceName)).size).toBe(1);
    expect(titleTerms('Settle the progress bar')).toContain('progressbar');
    expect(titleTerms('feat(basic-auth): add users')).toContain('basicauth');
    expect(titleTerms('feat: routes')).toEqual(['routes', 'route']);
    expect(titleTerms('Read lists from envvars')).toEqual(expect.arrayContaining(['envvars', 'envvar']));
    expect(pathTerms('src/middleware/basic-auth/index.ts')).toContain('basicauth');
  });
});

describe('what two changes share', () => {
  it('weighs less the more changes share it', () => {
    const rare = buildGraph(
      past([makePastGroup(0, name('clampNumber')), makePastGroup(1, name('clampNumber'))]),
      ALL,
      false,
    );
    const many = Array.from({ length: 30 }, (_none, index) => makePastGroup(index, name('clampNumber')));
    const common = buildGraph(past(many), ALL, false);
    const weight = (built: typeof rare): number => built.links.between(0, 1)?.byType.wording ?? 0;
    expect(weight(rare)).toBeGreaterThan(weight(common));
  });

  it('is nothing where it is a file that is a hub', () => {
    const groups = [makePastGroup(0), makePastGroup(1)];
    const withFile = buildGraph(past(groups), ALL, false);
    const withoutFile = buildGraph(past(groups, ['src/a.py', 'tests/test_a.py']), ALL, false);
    expect(withFile.index.traces.map(({ key }) => key)).toContain('f:0');
    expect(withoutFile.index.traces.map(({ key }) => key)).not.toContain('f:0');
  });

  it('is told in words, with paths of any bytes', () => {
    const groups = [makePastGroup(0, name('clampNumber')), makePastGroup(1, name('clampNumber'))];
    const odd = { ...past(groups), lineages: [{ paths: ['src/\xff.py'], touchedBy: [] }] };
    const said = buildGraph(odd, ALL, false)
      .evidenceBetween(0, 1)
      .map(({ explanation }) => explanation)
      .join();
    expect(said).toContain('clampNumber');
    expect(said).toContain('\\xff.py');
  });
});

describe('lines that one change wrote and another rewrote', () => {
  const apart = (index: number, more: Partial<PastGroup> = {}): PastGroup =>
    makePastGroup(index, {
      files: [
        {
          lineage: 9 + index,
          path: `src/${index}.py`,
          role: 'source',
          status: 'modified',
          addedLines: 1,
          removedLines: 1,
        },
      ],
      ...more,
    });

  it('tie them, the more lines the more, and say whose lines they are', () => {
    const rewriting = (lines: number) =>
      buildGraph(
        past([apart(0, { title: 'Add throttling' }), apart(1, { reworked: new Map([[0, lines]]) })]),
        ALL,
        true,
      );
    const touchOf = (built: ReturnType<typeof rewriting>): number =>
      built.index.touches[1]?.find(({ trace }) => trace.key === 'l:0')?.strength ?? 0;
    expect(touchOf(rewriting(9))).toBeGreaterThan(touchOf(rewriting(1)));
    expect(touchOf(rewriting(1))).toBeGreaterThan(0);
    expect(rewriting(9).label('l:0')).toContain('Add throttling');
  });

  it('are no evidence where that type is switched off, and are found through changes that were put together', () => {
    const groups = [apart(0), apart(1, { reworked: new Map([[0, 5]]) })];
    const without = new Set(evidenceTypes.options.filter((type) => type !== 'lines'));
    expect(buildGraph(past(groups), without, true).index.traces.map(({ key }) => key)).not.toContain('l:0');
    const whole = lineTraces([apart(7, { parts: [apart(7), apart(8)] }), apart(9, { reworked: new Map([[8, 5]]) })]);
    expect(whole.get('l:0')?.map(({ node }) => node)).toEqual([0, 1]);
  });
});

describe('changes that can be stages', () => {
  it('are not reverted, repeated, made by automata, sweeps over the whole code, or without source; each is told why', () => {
    const sweep = Array.from({ length: 12 }, (_none, lineage) => ({
      lineage,
      path: `src/${lineage}.py`,
      role: 'source',
      status: 'modified',
      addedLines: 1,
      removedLines: 1,
    }));
    const groups = [
      makePastGroup(0, { revertedBy: 1 }),
      makePastGroup(1, { duplicateOf: 0 }),
      makePastGroup(2, { byBot: true }),
      makePastGroup(3, { files: sweep }),
      makePastGroup(4, { landedBy: null }),
      makePastGroup(5),
      makePastGroup(6, { files: makePastGroup(6).files.slice(1) }),
    ];
    const { nodes, rejections } = selectNodes(groups);
    expect(nodes.map(({ index }) => index)).toEqual([5]);
    expect(rejections).toHaveLength(6);
  });

  it('come in the order of landing, however they were listed', () => {
    const groups = [makePastGroup(2, { landedBy: 1 }), makePastGroup(0, { landedBy: 5 }), makePastGroup(1)];
    expect(selectNodes(groups).nodes.map(({ index }) => index)).toEqual([1, 2, 0]);
  });

  it('are put together from code and the tests that follow it soon', () => {
    const code = makePastGroup(0, {
      tests: [],
      files: makePastGroup(0).files.slice(0, 1),
      title: 'Add get_pager_file',
      identifiers: new Map([['get_pager_file', 1]]),
    });
    const tests = makePastGroup(2, {
      intent: 'test',
      sourceLinesAdded: 0,
      testCalls: new Map([['get_pager_file', 4]]),
    });
    const other = makePastGroup(3, { testCalls: new Map([['something', 1]]) });
    const [joined, rest] = joinTested([code, tests, other]);
    expect(joined?.parts?.map(({ index }) => index)).toEqual([0, 2]);
    expect(joined?.commits).toEqual([...code.commits, ...tests.commits]);
    expect(rest).toBe(other);
  });
});
