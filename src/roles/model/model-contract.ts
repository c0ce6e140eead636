/** Shapes of requests: Anthropic's messages, or the chat completions that most other servers speak. */
export type ModelApi = 'anthropic' | 'openai';

export interface ModelSettings {
  api: ModelApi;
  /** Without the last part: `https://host` for anthropic, `https://host/v1` for openai. */
  baseUrl: string;
  /** Null where the server asks for none. */
  key: string | null;
  model: string;
  maxOutputTokens: number;
  /** For one request. */
  timeoutMs: number;
  /** How often a request is sent where the server is busy, down or silent. */
  sendings: number;
  /** The pause before the second sending; each further one is twice as long. */
  pauseMs: number;
  /** US dollars for a million tokens; null where unknown. */
  price: { input: number; output: number } | null;
}

export interface ModelRequest {
  system: string;
  turns: readonly { role: 'user' | 'assistant'; text: string }[];
  /** The answer's JSON Schema and its name. */
  schema: Record<string, unknown>;
  schemaName: string;
}

/** A server's answer, read. */
export interface ModelReply {
  /** The structured answer as text; null where the model gave none. */
  text: string | null;
  /** It was cut off at the most tokens it may have. */
  cut: boolean;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** How a request is spelled for a server, and how its answer is read. */
export interface ModelProtocol {
  path: string;
  headers(key: string | null): Record<string, string>;
  body(settings: ModelSettings, request: ModelRequest): Record<string, unknown>;
  /** Null where the answer has not the shape of one. */
  read(answer: unknown): ModelReply | null;
}
