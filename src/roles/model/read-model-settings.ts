import { Fault } from '#kernel/faults.js';
import { hostVariable } from '#process/index.js';
import type { ModelApi, ModelSettings } from './model-contract.js';

/** What the operator says of the model; the rest comes from the environment. */
export interface AskedModel {
  model?: string;
  api?: ModelApi;
  url?: string;
  price?: { input: number; output: number };
  timeoutMs: number;
  sendings: number;
}

const HOME: Record<ModelApi, { url: string; urlVariable: string; keyVariable: string }> = {
  anthropic: {
    url: 'https://api.anthropic.com',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  openai: { url: 'https://api.openai.com/v1', urlVariable: 'OPENAI_BASE_URL', keyVariable: 'OPENAI_API_KEY' },
};
const MAX_OUTPUT_TOKENS = 8_000;
const PAUSE_MS = 1_000;

/**
 * Which model is asked, where and with which key: options, then FEATUREARC_MODEL, FEATUREARC_MODEL_URL and
 * FEATUREARC_MODEL_KEY, then the variables of the providers.
 * @throws Fault `model-unnamed` (usage), `model-url-invalid` (usage), `model-key-missing` (environment)
 */
export function readModelSettings(asked: AskedModel): ModelSettings {
  const model = asked.model ?? hostVariable('FEATUREARC_MODEL');
  if (model === null || model === '')
    throw new Fault({
      code: 'model-unnamed',
      kind: 'usage',
      message: 'no model is named',
      hint: 'Give --model NAME (or set FEATUREARC_MODEL).',
    });
  const api = asked.api ?? apiByKey();
  const home = HOME[api];
  const baseUrl = asked.url ?? hostVariable('FEATUREARC_MODEL_URL') ?? hostVariable(home.urlVariable) ?? home.url;
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new Fault({
      code: 'model-url-invalid',
      kind: 'usage',
      message: `${JSON.stringify(baseUrl)} is no http or https address`,
      hint: 'Give --model-url such as http://127.0.0.1:8000/v1.',
    });
  const key = hostVariable('FEATUREARC_MODEL_KEY') ?? hostVariable(home.keyVariable);
  if (key === null && baseUrl === home.url)
    throw new Fault({
      code: 'model-key-missing',
      kind: 'environment',
      message: `${baseUrl} needs a key`,
      hint: `Set FEATUREARC_MODEL_KEY or ${home.keyVariable}, or give the --model-url of a server that needs none.`,
    });
  return {
    ...{ api, baseUrl, key, model },
    ...{ maxOutputTokens: MAX_OUTPUT_TOKENS, pauseMs: PAUSE_MS },
    ...{ timeoutMs: asked.timeoutMs, sendings: asked.sendings, price: asked.price ?? null },
  };
}

/** The protocol of the provider whose key is set; Anthropic's where both or none are. */
function apiByKey(): ModelApi {
  const has = (api: ModelApi): boolean => hostVariable(HOME[api].keyVariable) !== null;
  return has('openai') && !has('anthropic') ? 'openai' : 'anthropic';
}
