import { z } from 'zod';
import type { ModelProtocol } from './model-contract.js';

const answerShape = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

/** Chat completions, as most servers speak them: the structured answer is the message, held to a schema. */
export const openaiProtocol: ModelProtocol = {
  path: '/chat/completions',
  headers: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, maxOutputTokens }, { system, turns, schema, schemaName }) => ({
    model,
    max_completion_tokens: maxOutputTokens,
    messages: [{ role: 'system', content: system }, ...turns.map(({ role, text }) => ({ role, content: text }))],
    response_format: { type: 'json_schema', json_schema: { name: schemaName, schema, strict: true } },
  }),
  read: (answer) => {
    const parsed = answerShape.safeParse(answer);
    const choice = parsed.success ? parsed.data.choices[0] : undefined;
    if (!parsed.success || choice === undefined) return null;
    return {
      text: choice.message.content ?? null,
      cut: choice.finish_reason === 'length',
      inputTokens: parsed.data.usage?.prompt_tokens ?? null,
      outputTokens: parsed.data.usage?.completion_tokens ?? null,
    };
  },
};
