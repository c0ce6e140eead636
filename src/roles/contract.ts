/** What answers cost. Null where nobody counted. */
export interface RoleCost {
  usd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Requests that were sent, repeated ones included. */
  requests: number;
}

/** One event of a conversation, in order. Never holds a key. */
export interface TranscriptEntry {
  kind: 'system' | 'user' | 'model' | 'problem';
  text: string;
}

/** What a role says: an answer with the evidence it rests on, or why there is none. */
export type RoleResult<Out> = { cost: RoleCost; transcript: TranscriptEntry[] } & (
  | { kind: 'answered'; value: Out /** Ids that the question offered. */; evidence: string[] }
  | { kind: 'failed'; why: string }
);

/** A piece of judgement that rules or a model can supply. */
export interface Role<In, Out> {
  readonly by: { by: 'rules' | 'model'; model: string | null; version: string };
  /** @throws Fault (environment) where nobody can be asked at all; the signal's reason */
  ask(question: In, signal?: AbortSignal): Promise<RoleResult<Out>>;
}
