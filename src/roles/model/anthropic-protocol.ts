import { z } from 'zod';
import type { ModelProtocol } from './model-contract.js';

const answerShape = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), input: z.unknown() })),
  stop_reason: z.string().nullish(),
  usage: z
    .looseObject({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
});

/** Anthropic's messages: the structured answer is the input of a tool that has to be used. */
export const anthropicProtocol: ModelProtocol = {
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) }),
  body: ({ model, maxOutputTokens }, { system, turns, schema, schemaName }) => ({
    model,
    max_tokens: maxOutputTokens,
    system,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    tools: [{ name: schemaName, description: 'Gives the answer.', input_schema: schema }],
    tool_choice: { type: 'tool', name: schemaName },
  }),
  read: (answer) => {
    const parsed = answerShape.safeParse(answer);
    if (!parsed.success) return null;
    const { content, stop_reason, usage } = parsed.data;
    const used = content.find(({ type }) => type === 'tool_use');
    const said = content.find(({ type }) => type === 'text')?.text;
    const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
    return {
      text: used === undefined ? (said ?? null) : JSON.stringify(used.input),
      cut: stop_reason === 'max_tokens',
      inputTokens: usage?.input_tokens == null ? null : usage.input_tokens + cached,
      outputTokens: usage?.output_tokens ?? null,
    };
  },
};
