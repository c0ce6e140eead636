import { setTimeout as pause } from 'node:timers/promises';
import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';
import { anthropicProtocol } from './anthropic-protocol.js';
import type { ModelProtocol, ModelReply, ModelRequest, ModelSettings } from './model-contract.js';
import { openaiProtocol } from './openai-protocol.js';

/** What became of a request: an answer, or a server that did not give one however often it was asked. */
export type ModelOutcome = ({ kind: 'reply' } & ModelReply) | { kind: 'unavailable'; why: string };

const PROTOCOLS: Record<ModelSettings['api'], ModelProtocol> = { anthropic: anthropicProtocol, openai: openaiProtocol };
/** No server is waited for longer than this between two sendings. */
const MAX_PAUSE_MS = 60_000;
/** After so many questions in a row that no sending brought an answer to, each gets one sending. */
const PATIENCE = 3;
const SHOWN_LETTERS = 400;

type Sent = ModelOutcome | { kind: 'again'; why: string; afterMs: number | null };

/** A language model behind HTTP. Busy, failing and silent servers are asked again, with growing pauses. */
export class ModelClient {
  private unanswered = 0;
  /** Requests sent so far. */
  sent = 0;

  constructor(readonly settings: ModelSettings) {}

  /** @throws Fault `model-key-refused`, `model-request-refused` (environment); the signal's reason */
  async ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelOutcome> {
    const { sendings, pauseMs } = this.settings;
    const most = this.unanswered >= PATIENCE ? 1 : sendings;
    let why = '';
    for (let sending = 0; sending < most; sending += 1) {
      signal?.throwIfAborted();
      const outcome = await this.send(request, signal);
      if (outcome.kind !== 'again') {
        this.unanswered = 0;
        return outcome;
      }
      why = outcome.why;
      const wait = Math.min(MAX_PAUSE_MS, outcome.afterMs ?? pauseMs * 2 ** sending);
      if (sending + 1 < most) await pause(wait, undefined, signal === undefined ? {} : { signal });
    }
    this.unanswered += 1;
    return { kind: 'unavailable', why: `${why} (asked ${most} time(s))` };
  }

  /** In US dollars; null where the price or the number of tokens is unknown. */
  costOf({ inputTokens, outputTokens }: Pick<ModelReply, 'inputTokens' | 'outputTokens'>): number | null {
    const { price } = this.settings;
    if (price === null || inputTokens === null || outputTokens === null) return null;
    return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  }

  private async send(request: ModelRequest, signal: AbortSignal | undefined): Promise<Sent> {
    const { settings } = this;
    const protocol = PROTOCOLS[settings.api];
    const url = `${settings.baseUrl.replace(/\/+$/, '')}${protocol.path}`;
    const timeout = AbortSignal.timeout(settings.timeoutMs);
    this.sent += 1;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...protocol.headers(settings.key) },
        body: JSON.stringify(protocol.body(settings, request)),
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
        redirect: 'error',
      });
      const text = await response.text();
      return response.ok ? readAnswer(protocol, text) : this.readRefusal(url, response, text);
    } catch (thrown) {
      if (thrown instanceof Fault) throw thrown;
      signal?.throwIfAborted();
      if (timeout.aborted) return again(`${url}: no answer within ${settings.timeoutMs} ms`);
      return again(`${url}: ${causeOf(thrown)}`);
    }
  }

  private readRefusal(url: string, response: Response, text: string): Sent {
    const { status } = response;
    const said = `${url}: status ${status}: ${text.slice(0, SHOWN_LETTERS)}`;
    if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
      return { kind: 'again', why: said, afterMs: retryAfterMs(response.headers.get('retry-after')) };
    if (status === 401 || status === 403)
      throw new Fault({
        code: 'model-key-refused',
        kind: 'environment',
        message: said,
        hint: 'Set FEATUREARC_MODEL_KEY (or ANTHROPIC_API_KEY, OPENAI_API_KEY) to a key that this server accepts.',
      });
    throw new Fault({
      code: 'model-request-refused',
      kind: 'environment',
      message: said,
      hint: 'Check --model, --model-api and --model-url: the server knows no such model or speaks another protocol.',
    });
  }
}

function again(why: string): Sent {
  return { kind: 'again', why, afterMs: null };
}

function readAnswer(protocol: ModelProtocol, text: string): Sent {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (thrown) {
    return again(`the server's answer is not JSON: ${messageOf(thrown)}`);
  }
  const reply = protocol.read(answer);
  return reply === null
    ? again(`the server's answer has another shape: ${text.slice(0, SHOWN_LETTERS)}`)
    : { kind: 'reply', ...reply };
}

/** Seconds or a date. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return errorCodeOf(cause) ?? messageOf(cause);
}
