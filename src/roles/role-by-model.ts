import { z } from 'zod';
import { messageOf } from '#kernel/faults.js';
import type { Role, RoleCost, RoleResult, TranscriptEntry } from './contract.js';
import { ModelClient, type ModelOutcome } from './model/model-client.js';
import type { ModelSettings } from './model/model-contract.js';

/** What makes a model play a role: instructions, how a question is put, and what an answer must be. */
export interface ModelRoleDefinition<In, Out> {
  /** Lower-case letters and underscores. */
  name: string;
  /** Grows whenever instructions or checks change. */
  version: string;
  system: string;
  render(question: In): string;
  /** Every field required, so that servers with strict schemas take it. */
  shape: z.ZodType<Out>;
  /** What is wrong with a well-formed answer, in words for the model; empty where nothing is. */
  problemsOf(answer: Out, question: In): string[];
  /** Ids of the question's evidence that the answer cites. */
  evidenceOf(answer: Out): string[];
}

/** How often an answer that is not valid is sent back. */
const ANSWERS = 3;
const SHOWN_PROBLEMS = 8;

/** A role played by a model: what it says is checked, sent back with what is wrong, and given up after some tries. */
export function roleByModel<In, Out>(definition: ModelRoleDefinition<In, Out>, settings: ModelSettings): Role<In, Out> {
  const client = new ModelClient(settings);
  const schema = z.toJSONSchema(definition.shape) as Record<string, unknown>;
  return {
    by: { by: 'model', model: settings.model, version: definition.version },
    ask: (question, signal) => new Conversation(definition, client, schema).hold(question, signal),
  };
}

class Conversation<In, Out> {
  private readonly transcript: TranscriptEntry[] = [];
  private readonly cost: RoleCost = { usd: 0, inputTokens: 0, outputTokens: 0, requests: 0 };

  constructor(
    private readonly definition: ModelRoleDefinition<In, Out>,
    private readonly client: ModelClient,
    private readonly schema: Record<string, unknown>,
  ) {}

  async hold(question: In, signal: AbortSignal | undefined): Promise<RoleResult<Out>> {
    const { definition, client, schema, cost, transcript } = this;
    const turns: { role: 'user' | 'assistant'; text: string }[] = [];
    const say = (text: string): void => {
      turns.push({ role: 'user', text });
      transcript.push({ kind: 'user', text });
    };
    transcript.push({ kind: 'system', text: definition.system });
    say(definition.render(question));
    let why = '';
    for (let answer = 0; answer < ANSWERS; answer += 1) {
      const before = client.sent;
      const request = { system: definition.system, turns, schema, schemaName: definition.name };
      const outcome = await client.ask(request, signal);
      cost.requests += client.sent - before;
      this.count(outcome);
      if (outcome.kind === 'unavailable') {
        transcript.push({ kind: 'problem', text: outcome.why });
        return { kind: 'failed', why: outcome.why, cost: this.paid(), transcript };
      }
      const text = outcome.text ?? '';
      transcript.push({ kind: 'model', text });
      const judged = this.judge(text, outcome.cut, question);
      if ('value' in judged)
        return {
          kind: 'answered',
          value: judged.value,
          evidence: [...new Set(definition.evidenceOf(judged.value))],
          cost: this.paid(),
          transcript,
        };
      why = judged.problems.slice(0, SHOWN_PROBLEMS).join('; ');
      transcript.push({ kind: 'problem', text: why });
      turns.push({ role: 'assistant', text: text === '' ? '(no answer)' : text });
      say(`That answer is not valid: ${why}. Answer again, whole.`);
    }
    return { kind: 'failed', why: `no valid answer in ${ANSWERS} tries: ${why}`, cost: this.paid(), transcript };
  }

  private judge(text: string, cut: boolean, question: In): { value: Out } | { problems: string[] } {
    if (cut) return { problems: ['it was cut off at the most tokens an answer may have; be shorter'] };
    let json: unknown;
    try {
      json = JSON.parse(unfenced(text));
    } catch (thrown) {
      return { problems: [`it is not JSON (${messageOf(thrown)})`] };
    }
    const parsed = this.definition.shape.safeParse(json);
    if (!parsed.success)
      return { problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`) };
    const problems = this.definition.problemsOf(parsed.data, question);
    return problems.length === 0 ? { value: parsed.data } : { problems };
  }

  private count(outcome: ModelOutcome): void {
    const { cost, client } = this;
    // What a request cost that brought no answer is unknown, and then so is the sum.
    const known = outcome.kind === 'reply' ? outcome : { inputTokens: null, outputTokens: null };
    cost.inputTokens = sum(cost.inputTokens, known.inputTokens);
    cost.outputTokens = sum(cost.outputTokens, known.outputTokens);
    cost.usd = sum(cost.usd, client.costOf(known));
  }

  private paid(): RoleCost {
    return { ...this.cost };
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** The text inside a code fence, which some models put around JSON whatever they are told. */
function unfenced(text: string): string {
  return /^\s*```[a-z]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
