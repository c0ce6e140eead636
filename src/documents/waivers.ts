import { z } from 'zod';
import { defineDocument } from './define-document.js';

/** private/waivers.json: what a person has looked at and let pass, and why. Only findings about specs can be waived. */
export const waiversShape = z.looseObject({
  waivers: z.array(
    z.looseObject({
      /** Code of the finding, e.g. `spec-lacks-name`. */
      code: z.string(),
      stage: z.number().int().nonnegative(),
      /** The name or text that the finding is about, verbatim. */
      about: z.string(),
      reason: z.string().min(1),
      /** Who decided. */
      by: z.string().min(1),
    }),
  ),
});
export type Waivers = z.infer<typeof waiversShape>;

export const waiversDocument = defineDocument({ name: 'waivers', version: 1, shape: waiversShape });
