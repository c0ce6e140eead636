import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const truthShape = z.looseObject({
  repo: z.string(),
  snapshot_head: z.string(),
  chains: z.array(
    z.looseObject({
      id: z.string(),
      feature: z.string(),
      stages: z.array(z.looseObject({ commits: z.array(z.string()), summary: z.string() })),
      borderline: z.array(z.looseObject({ commit: z.string() })).default([]),
    }),
  ),
  negatives: z.array(z.looseObject({ a: z.string(), b: z.string(), why: z.string() })),
});
export type Truth = z.infer<typeof truthShape>;
export type TruthChain = Truth['chains'][number];

/** Ground truth of one repository: chains found by reading, and pairs of changes that are different features. */
export async function readTruth(file: string): Promise<Truth> {
  return truthShape.parse(JSON.parse(await readFile(file, 'utf8')));
}
