import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { runLayout } from '#documents/layout.js';
import { type Verdict, verdictDocument } from '#documents/verdict.js';
import { writeFileAtomic } from '#store/index.js';

const compress = promisify(gzip);

/**
 * Writes a verdict with the output of its suites. The first verdict stands at its stage; one that renews another stands
 * beside it, and nothing is overwritten. Whole or not at all.
 */
export async function keepVerdict(
  layout: ReturnType<typeof runLayout>,
  { verdict, output }: { verdict: Verdict; output: Buffer },
): Promise<void> {
  const place = verdict.stage;
  const first = verdict.derivedFrom === null;
  const path = first ? layout.gate(place) : join(layout.regrades, verdict.id, 'gate.json');
  const outputPath = first ? layout.gateOutput(place) : join(dirname(path), 'gate-output.txt.gz');
  await rm(outputPath, { force: true });
  await writeFileAtomic(outputPath, await compress(output));
  await writeFileAtomic(path, verdictDocument.print(verdict));
}
