import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chain } from '#documents/chains.js';
import { HOSTILE_NAMES } from '../../../test/support/hostile-names.js';
import { chainsPage } from './chains-page.js';
import { code, plain } from './markdown.js';
import { pickChain } from './pick-chain.js';
import { spanOf } from './span-of.js';

const score = { score: 0.5, why: 'because' };

function chain(
  id: string,
  feature: string,
  dates: (string | null)[] = ['2024-01-01T00:00:00Z', '2024-01-13T00:00:00Z'],
): Chain {
  return {
    id,
    feature,
    language: 'python',
    symbols: [feature],
    rank: { relation: score, testability: score, removability: score, total: 0.5, novelty: score },
    stages: dates.map((at, k) => ({
      title: feature,
      intent: 'feature',
      commits: [`${k}`.repeat(40)],
      groups: [`g-${k}`],
      at,
      symbols: [feature],
      files: [{ path: feature, role: 'source', added: null, removed: null }],
      tests: [{ path: 'test.py', name: feature, change: 'added' }],
      why: feature,
      sourceLines: null,
      testLines: 3,
    })),
    edges: [{ id: 'e0-1-files', from: 0, to: 1, type: 'files', weight: 0.5, explanation: feature }],
    foundBy: ['beam'],
    review: { reviewer: { by: 'rules', model: null, version: '1' }, summary: feature, decisions: [], costUsd: null },
  };
}

describe('picking a chain', () => {
  const chains = [
    chain('c-aaaaaaaaaaaa', 'Slugs'),
    chain('c-aaab00000000', 'Pagers'),
    chain('c-123400000000', 'Edits'),
  ];
  it.each([
    ['c-aaab00000000', 'Pagers'],
    ['c-aaab', 'Pagers'],
    ['AAAB', 'Pagers'],
    ['3', 'Edits'],
    ['1234', 'Edits'],
  ])('understands %s', (asked, feature) => {
    expect(pickChain({ chains }, asked, 'chains.json').feature).toBe(feature);
  });

  it.each([
    ['c-aaa', /2 chains of chains.json begin with/, ['c-aaaaaaaaaaaa', 'c-aaab00000000']],
    ['pager', /no chain of chains.json is named "pager"/, ['c-aaab00000000']],
    ['9', /no chain of chains.json/, []],
  ])('says what is near %s', (asked, says, near) => {
    try {
      pickChain({ chains }, asked, 'chains.json');
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'chain-unknown', message: expect.stringMatching(says) });
      expect((thrown as { context: { near: string[] } }).context.near).toEqual(expect.arrayContaining(near));
    }
  });
});

describe('chains.md', () => {
  it('shows hostile names as text: no markup, link, table edge or control character of theirs', () => {
    const document = {
      ...{
        repository: HOSTILE_NAMES[0] ?? '',
        head: 'a'.repeat(40),
        completeness: 'complete' as const,
        toolVersion: '1',
      },
      ...{ seed: '0', options: {}, admission: [] },
      counts: { commits: 1, groups: 1, nodes: 1, edges: 1, candidates: 1, rejected: 0 },
      chains: HOSTILE_NAMES.map((name, at) => chain(`c-${at}`, name)),
    };
    const page = chainsPage(document);
    const outsideCode = page.replace(/(`+)[\s\S]*?\1/g, '');
    expect(outsideCode).not.toMatch(/<(?:script|img|b)\b|(?<!\\)\]\(|=HYPERLINK\("http:\/\//);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`c-'));
    for (const row of rows) expect(row.replace(/\\\|/g, '').split('|')).toHaveLength(12);
  });

  it('puts any text into code without leaving it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [, fence = ''] = /^(`+)/.exec(code(text)) ?? [];
        expect(code(text).slice(fence.length, -fence.length).split(/[^`]+/).includes(fence)).toBe(false);
        expect(plain(text)).not.toMatch(/\n/);
      }),
    );
  });
});

it('says how long a feature took, and unknown where a date is missing', () => {
  expect(spanOf(chain('c-1', 'x'))).toBe('12 days');
  expect(spanOf(chain('c-1', 'x', ['2020-01-01T00:00:00Z', '2023-01-01T00:00:00Z']))).toBe('3.0 years');
  expect(spanOf(chain('c-1', 'x', ['2020-01-01T00:00:00Z', null]))).toBe('unknown');
});
