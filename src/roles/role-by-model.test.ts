import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anthropicAnswer, openaiAnswer, type ScriptedModel, scriptedModel } from '../../test/support/scripted-model.js';
import type { ModelApi, ModelSettings } from './model/model-contract.js';
import { type ModelRoleDefinition, roleByModel } from './role-by-model.js';

const colours: ModelRoleDefinition<string[], { colour: string; cites: string[] }> = {
  name: 'colour',
  version: '1',
  system: 'Name a colour.',
  render: (offered) => `Evidence: ${offered.join(', ')}`,
  shape: z.object({ colour: z.string(), cites: z.array(z.string()) }),
  problemsOf: ({ cites }, offered) =>
    cites.filter((id) => !offered.includes(id)).map((id) => `no evidence is called ${id}`),
  evidenceOf: ({ cites }) => cites,
};

let server: ScriptedModel | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function ask(script: Parameters<typeof scriptedModel>[0], more: Partial<ModelSettings> = {}) {
  server = await scriptedModel(script);
  const settings: ModelSettings = {
    ...{ api: 'anthropic' as ModelApi, baseUrl: server.url, key: 'secret-key', model: 'a-model', maxOutputTokens: 500 },
    ...{ timeoutMs: 20_000, sendings: 3, pauseMs: 1, price: { input: 3, output: 15 } },
    ...more,
  };
  const result = await roleByModel(colours, settings).ask(['e1', 'e2']);
  return { result, requests: server.requests };
}

const GOOD = { colour: 'red', cites: ['e1'] };

describe('a role played by a model', () => {
  it('gives value, evidence, cost and transcript over messages with a forced tool', async () => {
    const { result, requests } = await ask([anthropicAnswer(GOOD)]);
    expect(result).toMatchObject({ kind: 'answered', value: GOOD, evidence: ['e1'] });
    expect(result.cost).toEqual({
      usd: (1000 * 3 + 100 * 15) / 1e6,
      inputTokens: 1000,
      outputTokens: 100,
      requests: 1,
    });
    expect(result.transcript.map(({ kind }) => kind)).toEqual(['system', 'user', 'model']);
    expect(requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'secret-key' },
      body: { model: 'a-model', tool_choice: { type: 'tool', name: 'colour' } },
    });
    expect(JSON.stringify(result)).not.toContain('secret-key');
  });

  it('speaks chat completions with a schema, and reads JSON out of a fence', async () => {
    const { result, requests } = await ask([openaiAnswer(`\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``)], {
      api: 'openai',
    });
    expect(result).toMatchObject({ kind: 'answered', value: GOOD });
    expect(requests[0]).toMatchObject({
      path: '/chat/completions',
      headers: { authorization: 'Bearer secret-key' },
      body: { response_format: { type: 'json_schema', json_schema: { strict: true } } },
    });
  });

  it('sends an answer that cites unknown evidence back, with what is wrong', async () => {
    const { result, requests } = await ask([anthropicAnswer({ colour: 'red', cites: ['e9'] }), anthropicAnswer(GOOD)]);
    expect(result).toMatchObject({ kind: 'answered', cost: { requests: 2, inputTokens: 2000 } });
    expect(JSON.stringify(requests[1]?.body.messages)).toContain('no evidence is called e9');
  });

  it.each([
    ['another shape', { color: 1 }],
    ['citations of nothing', { colour: 'red', cites: ['e9'] }],
  ])('gives up on a model that insists on %s', async (_title, answer) => {
    const { result, requests } = await ask(() => anthropicAnswer(answer));
    expect(result).toMatchObject({ kind: 'failed', why: expect.stringContaining('no valid answer in 3 tries') });
    expect(requests).toHaveLength(3);
  });

  it('asks a busy, failing or cutting server again', async () => {
    const busy = { status: 429, body: 'slow down', headers: { 'retry-after': '0' } };
    const { result } = await ask([busy, { status: 503, body: 'down' }, anthropicAnswer(GOOD)]);
    expect(result).toMatchObject({ kind: 'answered', cost: { requests: 3 } });
    await server?.close();
    expect((await ask(['cut', anthropicAnswer(GOOD)])).result.kind).toBe('answered');
  });

  it('gives up on a server that stays silent, and then does not know the cost', async () => {
    const { result } = await ask(() => 'silence', { timeoutMs: 50, sendings: 2 });
    expect(result).toMatchObject({ kind: 'failed', why: expect.stringMatching(/no answer within 50 ms \(asked 2/) });
    expect(result.cost).toEqual({ usd: null, inputTokens: null, outputTokens: null, requests: 2 });
  });

  it('knows no cost without a price', async () => {
    expect((await ask([anthropicAnswer(GOOD)], { price: null })).result.cost.usd).toBeNull();
  });

  it('stops at a key that is refused, without showing it', async () => {
    const refused = ask([{ status: 401, body: 'bad key' }]);
    await expect(refused).rejects.toMatchObject({ code: 'model-key-refused', kind: 'environment' });
    await expect(refused).rejects.not.toThrow(/secret-key/);
  });
});
