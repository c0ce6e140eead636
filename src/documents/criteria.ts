import { z } from 'zod';
import { defineDocument } from './define-document.js';

/** private/stages/k/criteria.json: which acceptance criterion each F2P test checks. Every F2P test is in exactly one. */
export const criteriaShape = z.looseObject({
  stage: z.number().int().nonnegative(),
  criteria: z.array(
    z.looseObject({
      /** As numbered in requirement.md, from 1. */
      number: z.number().int().positive(),
      text: z.string(),
      /** Ids of F2P tests. */
      tests: z.array(z.string()),
    }),
  ),
});
export type Criteria = z.infer<typeof criteriaShape>;

export const criteriaDocument = defineDocument({ name: 'criteria', version: 1, shape: criteriaShape });
