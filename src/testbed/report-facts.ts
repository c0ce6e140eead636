import { z } from 'zod';
import { testStatuses } from '#documents/test-identity.js';

const titles = z.array(z.string()).min(1);
const who = {
  /** Path key relative to the workspace; null where the process holds one file only. */
  file: z.string().nullable().default(null),
  project: z.string().nullable().default(null),
  path: titles,
};

/** What a reporter inside a test process says, one line each. The words are the same for every runner. */
const reporterEvent = z.discriminatedUnion('t', [
  /** The file is about to be loaded. */
  z.object({ t: z.literal('file-start'), file: z.string() }),
  z.object({ t: z.literal('file-loaded'), file: z.string() }),
  z.object({
    t: z.literal('file-failed'),
    file: z.string(),
    kind: z.enum(['compile', 'collect', 'crash']),
    message: z.string().nullable(),
  }),
  /** Nothing further will be heard of this file. */
  z.object({ t: z.literal('file-end'), file: z.string() }),
  /** A test that exists, before it runs. */
  z.object({ t: z.literal('known'), ...who, ordinal: z.number().int().nonnegative(), raw: z.string() }),
  z.object({ t: z.literal('test-start'), ...who }),
  z.object({
    t: z.literal('test-end'),
    ...who,
    ordinal: z.number().int().nonnegative(),
    status: testStatuses,
    /** Whether it makes the runner fail, where the status alone does not tell (a strict xpass). */
    failing: z.boolean().nullable().default(null),
    raw: z.string(),
    ms: z.number().nullable(),
    message: z.string().nullable(),
  }),
  /** A suite is over; `message` is a failure of its own (hook or body), not of a test in it. */
  z.object({ t: z.literal('group-end'), ...who, failed: z.boolean(), message: z.string().nullable() }),
  /** Something that makes the runner fail without being any test's failure. */
  z.object({ t: z.literal('trouble'), file: z.string().nullable().default(null), message: z.string() }),
  /** A fact about a file that is no failure. */
  z.object({ t: z.literal('note'), file: z.string(), message: z.string() }),
  /** The runner has done all it was asked for. */
  z.object({ t: z.literal('drained') }),
  z.object({ t: z.literal('reported') }),
  z.object({ t: z.literal('exit-called'), code: z.unknown() }),
  /** Something that only tampering does: parts of the runner replaced, hidden tests read. In words. */
  z.object({ t: z.literal('suspicion'), what: z.string() }),
  z.object({ t: z.literal('uncaught'), name: z.string(), code: z.string(), message: z.string() }),
]);
export type ReporterEvent = z.infer<typeof reporterEvent>;

/** What the supervisor in the sandbox says, one sealed line each. */
export const supervisorFact = z.discriminatedUnion('t', [
  z.object({ t: z.literal('header'), version: z.literal(1), tool: z.string() }),
  z.object({ t: z.literal('process-start'), process: z.number().int() }),
  z.object({ t: z.literal('event'), process: z.number().int(), event: z.unknown() }),
  z.object({
    t: z.literal('process-end'),
    process: z.number().int(),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    /** What ran out, where the supervisor ended it: silence in a test, silence outside one, or the time for all. */
    killed: z.enum(['test', 'load', 'deadline']).nullable(),
    /** Lines of the event channel that no reporter of ours wrote. */
    garbage: z.number().int(),
    spawnError: z.string().optional(),
    output: z.string(),
  }),
  z.object({ t: z.literal('end'), reached: z.number().int() }),
]);

export function parseReporterEvent(value: unknown): ReporterEvent | null {
  const parsed = reporterEvent.safeParse(value);
  return parsed.success ? parsed.data : null;
}

export interface ProcessEnd {
  exitCode: number | null;
  signal: string | null;
  killed: 'test' | 'load' | 'deadline' | null;
  spawnError: string | null;
  output: Buffer;
}

/** Everything known of one process with tests in it. `end` is null where the supervisor itself ended first. */
export interface ProcessFacts {
  events: ReporterEvent[];
  /** Lines that were no event of ours. */
  garbage: number;
  end: ProcessEnd | null;
}
