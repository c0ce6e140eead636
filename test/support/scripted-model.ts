import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type ModelScript =
  | { status?: number; body: unknown; headers?: Record<string, string> }
  /** Never answers. */
  | 'silence'
  /** Cuts the connection. */
  | 'cut';

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ScriptedModel {
  url: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** A model's server on a local socket that answers by script, request after request; a function answers what it is asked. */
export async function scriptedModel(
  script: readonly ModelScript[] | ((request: SeenRequest, at: number) => ModelScript),
): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
      const seen = { path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      const at = requests.length - 1;
      const step =
        typeof script === 'function' ? script(seen, at) : (script[at] ?? { status: 500, body: 'no more script' });
      if (step === 'silence') return;
      if (step === 'cut') {
        request.socket.destroy();
        return;
      }
      response.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers });
      response.end(typeof step.body === 'string' ? step.body : JSON.stringify(step.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** An answer as Anthropic's messages spell it. */
export function anthropicAnswer(input: unknown, tokens = { input: 1000, output: 100 }): ModelScript {
  return {
    body: {
      content: [{ type: 'tool_use', id: 't', name: 'x', input }],
      stop_reason: 'tool_use',
      usage: { input_tokens: tokens.input, output_tokens: tokens.output },
    },
  };
}

/** An answer as chat completions spell it. */
export function openaiAnswer(value: unknown): ModelScript {
  const content = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    body: {
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    },
  };
}
