import { rm } from 'node:fs/promises';
import { type Chains, chainsDocument, type Rejection } from '#documents/chains.js';
import { minedLayout } from '#documents/layout.js';
import { writeFileAtomic } from '#store/index.js';
import { chainsPage } from './chains-page.js';

/** What mining found, ready to be laid down. */
export interface Catalogue {
  document: Chains;
  rejections: readonly Rejection[];
  /** The evidence graph as text, where it was asked for. */
  graph: { format: 'graphml' | 'json'; text: string } | null;
}

/**
 * Writes the documents of a mining run, each whole or not at all; chains.json comes last, so that where it stands the
 * others do. A graph of an earlier run is removed where none was asked for.
 * @returns the files, chains.json first
 */
export async function writeCatalogue(folder: string, { document, rejections, graph }: Catalogue): Promise<string[]> {
  const layout = minedLayout(folder);
  const files = [layout.rejections, layout.page];
  await writeFileAtomic(layout.rejections, rejections.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await writeFileAtomic(layout.page, chainsPage(document));
  for (const format of ['graphml', 'json'] as const)
    if (graph?.format !== format) await rm(layout.graph(format), { force: true });
  if (graph !== null) {
    await writeFileAtomic(layout.graph(graph.format), graph.text);
    files.push(layout.graph(graph.format));
  }
  await writeFileAtomic(layout.chains, chainsDocument.print(document));
  return [layout.chains, ...files];
}
