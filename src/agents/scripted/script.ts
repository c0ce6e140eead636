import { z } from 'zod';

const path = z.string().min(1);
const duration = z.string().regex(/^[0-9]+(?:ms|s|m)$/, 'a number with ms, s or m, such as 500ms');
const commandLine = z.union([z.string().min(1), z.array(z.string()).min(1)]);

/** One thing that a scripted agent does. Edits are made from the host, commands run in the sandbox. */
export const scriptAction = z.union([
  z.strictObject({
    write: z.strictObject({
      path,
      text: z.string().optional(),
      base64: z.base64().optional(),
      executable: z.boolean().optional(),
    }),
  }),
  z.strictObject({ append: z.strictObject({ path, text: z.string() }) }),
  z.strictObject({ replace: z.strictObject({ path, old: z.string().min(1), new: z.string() }) }),
  z.strictObject({ delete: path }),
  z.strictObject({ move: z.strictObject({ from: path, to: path }) }),
  z.strictObject({ chmod: z.strictObject({ path, mode: z.string().regex(/^[0-7]{3,4}$/, 'octal, such as 755') }) }),
  z.strictObject({ link: z.strictObject({ path, target: z.string().min(1) }) }),
  z.strictObject({ sleep: duration }),
  /** A shell line or an argument list; a failure ends the turn with its exit code unless `mayFail`. */
  z.strictObject({ run: commandLine, mayFail: z.boolean().default(false) }),
  /** Started and left alone: ended at the stage's end, or kept beyond it when `live`. */
  z.strictObject({ start: commandLine, live: z.boolean().default(false) }),
  z.strictObject({ say: z.string() }),
  /** Ends the turn. */
  z.strictObject({ exit: z.number().int().min(0).max(255) }),
  /** Facts that a real agent would have: a refusal, usage, a lost session. */
  z.strictObject({
    report: z.strictObject({
      refused: z.boolean().optional(),
      sessionLost: z.enum(['agent', 'environment']).optional(),
      error: z.string().optional(),
      usage: z
        .strictObject({
          input: z.number().int().nonnegative().nullable().default(null),
          cachedInput: z.number().int().nonnegative().nullable().default(null),
          output: z.number().int().nonnegative().nullable().default(null),
          costUsd: z.number().nonnegative().nullable().default(null),
          requests: z.number().int().nonnegative().nullable().default(null),
        })
        .optional(),
    }),
  }),
]);
export type ScriptAction = z.infer<typeof scriptAction>;

/** What is done at each stage; a stage beyond the list does nothing. */
export const script = z.strictObject({ stages: z.array(z.array(scriptAction)) });

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const;

/** Milliseconds of a script's duration. The text has passed the schema. */
export function sleepMs(text: string): number {
  const unit = /[a-z]+$/.exec(text)?.[0] as keyof typeof UNITS;
  return Number.parseInt(text, 10) * UNITS[unit];
}
