import { join } from 'node:path';
import { z } from 'zod';
import { defineDocument } from '#documents/define-document.js';
import { failureKinds } from '#documents/results.js';
import { testStatuses } from '#documents/test-identity.js';
import { Fault } from '#kernel/faults.js';
import { digestOfJson } from '#kernel/ids.js';
import { readTextIfAny, writeFileAtomic } from '#store/index.js';
import type { Grading } from './grading.js';
import type { RanGrading } from './run-grading.js';

/** Everything that the result of a grading depends on. */
export interface CacheKey {
  gradedTree: string;
  gateDigest: string;
  environment: string;
  grader: string;
  sandbox: string;
  limits: unknown;
  /** The grading's own seed: it draws the twins and the order. */
  seed: string;
  twins: boolean | 'all';
}

const outcome = z.object({
  id: z.string(),
  status: testStatuses,
  durationMs: z.number().nullable(),
  message: z.string().nullable(),
  fileEnded: z.boolean(),
});
const cached = defineDocument({
  name: 'grading',
  version: 1,
  shape: z.object({
    grading: z.object({
      seed: z.string(),
      order: z.string(),
      cached: z.boolean(),
      exitCode: z.number().nullable(),
      failure: failureKinds.exclude(['tests']).nullable(),
      evidence: z.string().nullable(),
      timedOut: z.boolean(),
      tests: z.array(outcome),
      twins: z.array(outcome.extend({ name: z.string(), of: z.string() })),
      tampering: z.array(z.string()),
      suspicions: z.array(z.string()),
      seconds: z.number(),
    }),
    silentFiles: z.array(z.string()),
    output: z.string(),
  }),
});

/** Gradings that need not be run again. A damaged entry is as good as none. */
export class GradingCache {
  constructor(private readonly folder: string | null) {}

  async find(key: CacheKey): Promise<RanGrading | null> {
    if (this.folder === null) return null;
    const path = this.pathOf(key);
    const text = await readTextIfAny(path);
    if (text === null) return null;
    try {
      const { grading, output, silentFiles } = cached.parse(text, path);
      const held: Grading = { ...grading, cached: true };
      return { grading: held, output: Buffer.from(output, 'base64'), repeatable: true, silentFiles };
    } catch (thrown) {
      if (thrown instanceof Fault) return null;
      throw thrown;
    }
  }

  /** Keeps what only the code decided: never what ran out of time or could not be judged. */
  async keep(key: CacheKey, ran: RanGrading): Promise<void> {
    if (this.folder === null || !ran.repeatable) return;
    const { grading, output, silentFiles } = ran;
    await writeFileAtomic(this.pathOf(key), cached.print({ grading, silentFiles, output: output.toString('base64') }));
  }

  private pathOf(key: CacheKey): string {
    return join(this.folder ?? '', `${digestOfJson(key).replace('sha256:', '')}.json`);
  }
}
