import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chain, chainsDocument, searchNames } from '#documents/chains.js';
import { seededRandom, shuffled } from '#kernel/random.js';
import { analyseScript, type ScriptedHistory } from '../../../test/support/analyse-script.js';
import { evolvingFeatures } from '../../../test/support/evolving-features.js';
import { exportGraph } from './export-graph.js';
import { findChains } from './find-chains.js';

let folder = '';
let history: ScriptedHistory;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chains-'));
  history = await analyseScript(folder, evolvingFeatures());
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const titles = ({ stages }: Chain): string[] => stages.map(({ title }) => title);
const ANCESTRY = (held: ScriptedHistory, id: string): Set<string> => {
  const seen = new Set<number>();
  const open = [held.indexOf.get(id) ?? -1];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at < 0 || seen.has(at)) continue;
    seen.add(at);
    open.push(...(held.commits[at]?.parents ?? []));
  }
  return new Set([...seen].map((at) => held.commits[at]?.id ?? ''));
};

describe('chains of a history', () => {
  it('are the features that grew, and nothing joins two features that grew side by side', async () => {
    const { chains } = await findChains(history);
    const found = chains.map(titles);
    expect(found).toContainEqual([
      'Add NumberRange type',
      'Add clamp_number to NumberRange',
      'Support open bounds in NumberRange',
    ]);
    expect(found).toContainEqual([
      'Add show_pager for long output',
      'Support generators in show_pager',
      'Support colors in show_pager',
    ]);
    for (const stages of found)
      expect(stages.some((title) => /Range/.test(title)) && stages.some((title) => /pager/.test(title))).toBe(false);
  });

  it('have two to ten stages, each with source and tests, in the order of ancestry', async () => {
    const { chains } = await findChains(history);
    expect(chains.length).toBeGreaterThan(0);
    for (const { stages } of chains) {
      expect(stages.length).toBeGreaterThanOrEqual(2);
      expect(stages.length).toBeLessThanOrEqual(10);
      stages.forEach((stage, at) => {
        expect(stage.files.some(({ role }) => role === 'source')).toBe(true);
        expect(stage.tests.length).toBeGreaterThan(0);
        const past = ANCESTRY(history, stage.commits.at(-1) ?? '');
        for (const earlier of stages.slice(0, at)) for (const commit of earlier.commits) expect(past).toContain(commit);
      });
    }
  });

  it('hold an extension without tests as part of the stage that follows it, with a reason', async () => {
    const groups = history.groups.map((group) =>
      group.title !== 'Support generators in show_pager'
        ? group
        : {
            ...group,
            tests: [],
            files: group.files.filter(({ role }) => role === 'source'),
            definitions: group.definitions.filter(({ inTest }) => !inTest),
          },
    );
    const untested = groups.find(({ title }) => title === 'Support generators in show_pager');
    const { chains } = await findChains({ ...history, groups });
    const chain = chains.find((found) => titles(found).includes('Add show_pager for long output'));
    const stage = chain?.stages.find(({ commits }) => commits.includes(untested?.commits[0] ?? ''));
    expect(stage?.groups.length).toBe(2);
    expect(stage?.tests.length).toBeGreaterThan(0);
    expect(chain?.review.decisions.find(({ group }) => group === untested?.id)?.why).toContain('without tests');
  });

  it('are the same whatever the order in which groups are listed and the seed given again', async () => {
    const { chains, rejections } = await findChains(history, { seed: '7' });
    await fc.assert(
      fc.asyncProperty(fc.string(), async (order) => {
        const groups = shuffled(history.groups, seededRandom(order));
        const again = await findChains({ ...history, groups }, { seed: '7' });
        expect(again.chains).toEqual(chains);
        expect(again.rejections).toEqual(rejections);
      }),
      { numRuns: 5 },
    );
  });

  it('are found by each search alone', async () => {
    for (const search of searchNames.options) {
      const { chains } = await findChains(history, { searches: [search] });
      expect(chains.length, search).toBeGreaterThan(0);
      for (const { foundBy } of chains) expect(foundBy).toEqual([search]);
    }
  });

  it('make a valid document, and say why each stage belongs', async () => {
    const { chains, graph, candidates, rejections } = await findChains(history);
    const text = chainsDocument.print({
      repository: 'scripted',
      head: history.head,
      completeness: history.completeness,
      toolVersion: '0',
      seed: '0',
      options: {},
      admission: [],
      counts: {
        commits: history.commits.length,
        groups: history.groups.length,
        nodes: graph.nodes.length,
        edges: graph.edges.length,
        candidates,
        rejected: rejections.length,
      },
      chains,
    });
    expect(chainsDocument.parse(text, 'chains.json').chains).toEqual(chains);
    for (const { stages, edges, review } of chains) {
      for (const { why } of stages) expect(why).not.toBe('');
      for (const { why } of review.decisions) expect(why).not.toBe('');
      expect(edges.length).toBeGreaterThan(0);
      for (const { explanation, from, to } of edges) {
        expect(explanation).not.toBe('');
        expect(from).toBeLessThan(to);
      }
    }
  });

  it('say for every candidate that is left out at which step and why', async () => {
    const { rejections } = await findChains(history, { limit: 1 });
    expect(rejections.length).toBeGreaterThan(0);
    for (const { reason, candidate } of rejections) {
      expect(reason).not.toBe('');
      expect(candidate).toMatch(/^[cg]-[0-9a-f]{12}$/);
    }
  });

  it('need tests unless the options say otherwise', async () => {
    const untested = await analyseScript(
      folder,
      evolvingFeatures().map((commit) => ({
        ...commit,
        files: commit.files.filter(([path]) => !String(path).startsWith('tests/')),
      })),
    );
    expect((await findChains(untested)).chains).toEqual([]);
    expect((await findChains(untested, { allowUntested: true })).chains.length).toBeGreaterThan(0);
  });

  it('leave out what was reverted', async () => {
    const script = evolvingFeatures();
    const touching = script.filter(({ files }) => files.some(([path]) => path === 'src/pkg/paging.py'));
    const reverted = await analyseScript(folder, [
      ...script,
      {
        message: 'Revert "Support colors in show_pager"',
        files: (touching.at(-2)?.files ?? []).filter(([path]) => path !== 'CHANGES.md'),
        at: 1_700_000_000,
        committedAt: 1_700_000_000,
      },
    ]);
    const group = reverted.groups.find(({ title }) => title === 'Support colors in show_pager');
    const { chains, rejections } = await findChains(reverted);
    expect(group?.revertedBy).not.toBeNull();
    expect(chains.flatMap(titles)).not.toContain('Support colors in show_pager');
    expect(rejections.find(({ candidate }) => candidate === group?.id)?.reason).toContain('reverted');
  });
});

describe('the evidence graph', () => {
  it('is not glued together by a changelog that every change touches', async () => {
    const { graph } = await findChains(history);
    const changelog = graph.edges.filter(({ explanation }) => explanation.includes('CHANGES.md'));
    expect(changelog).toEqual([]);
    const linked = (a: RegExp, b: RegExp): number =>
      graph.edges.filter(
        ({ from, to }) => a.test(graph.nodes[from]?.title ?? '') && b.test(graph.nodes[to]?.title ?? ''),
      ).length;
    expect(linked(/Range/, /Range/)).toBeGreaterThan(0);
    expect(linked(/Range/, /pager/) + linked(/pager/, /Range/)).toBe(0);
  });

  it('is exported as JSON and as well-formed GraphML', async () => {
    const { graph } = await findChains(history);
    const { nodes, edges } = JSON.parse(exportGraph(graph, 'json')) as { nodes: unknown[]; edges: unknown[] };
    expect(nodes.length).toBe(graph.nodes.length);
    expect(edges.length).toBe(graph.edges.length);
    const odd = {
      nodes: graph.nodes.map((node) => ({ ...node, title: `${node.title} <&"\u0001\ud800` })),
      edges: graph.edges,
    };
    const text = exportGraph(odd, 'graphml');
    expect(text.match(/<node /g)?.length).toBe(graph.nodes.length);
    expect(text).toContain('&lt;&amp;&quot;</data>');
  });
});
