import { request as httpRequest, type IncomingMessage } from 'node:http';
import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';
import { hostVariable } from '#process/index.js';

export interface EngineCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  /** JSON, or bytes as they are. */
  body?: unknown;
}

const DEFAULT_SOCKET = '/var/run/docker.sock';

/** The engine's socket on this machine. */
export function engineSocket(): string {
  const host = hostVariable('DOCKER_HOST') ?? '';
  return host.startsWith('unix://') ? host.slice('unix://'.length) : DEFAULT_SOCKET;
}

/**
 * One call of the engine's API over its socket (a `docker` process costs some 50 ms more each).
 * @returns the answer's body, still to be read
 * @throws Fault `docker-unreachable` (environment), or `docker-refused` (environment) with the engine's own words
 */
export async function openCall(call: EngineCall): Promise<IncomingMessage> {
  const answer = await send(call);
  const status = answer.statusCode ?? 0;
  if (status < 400) return answer;
  const text = (await readAll(answer)).toString('utf8');
  throw new Fault({
    code: 'docker-refused',
    kind: 'environment',
    message: `the Docker engine refused ${call.method} ${call.path}: ${messageIn(text)}`,
    hint: 'See the daemon log; `featurearc doctor` tries a container.',
    context: { status },
  });
}

/** One call whose whole answer is JSON; null where it is empty. */
export async function callEngine(call: EngineCall): Promise<unknown> {
  const text = (await readAll(await openCall(call))).toString('utf8');
  return text.trim() === '' ? null : JSON.parse(text);
}

/** As `callEngine`, but a thing that is not there (any more) is fine. */
export async function callIfThere(call: EngineCall): Promise<unknown> {
  try {
    return await callEngine(call);
  } catch (thrown) {
    if (isStatus(thrown, 404)) return null;
    throw thrown;
  }
}

/** Whether the engine refused with this HTTP status. */
export function isStatus(thrown: unknown, status: number): boolean {
  return thrown instanceof Fault && thrown.code === 'docker-refused' && thrown.context.status === status;
}

export async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function send({ method, path, query, body }: EngineCall): Promise<IncomingMessage> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const raw = body instanceof Uint8Array;
  const bytes = body === undefined ? null : raw ? body : Buffer.from(JSON.stringify(body));
  const socketPath = engineSocket();
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      socketPath,
      method,
      path: `${path}${search}`,
      headers: {
        Host: 'docker',
        ...(bytes === null
          ? {}
          : { 'Content-Type': raw ? 'application/x-tar' : 'application/json', 'Content-Length': bytes.length }),
      },
    });
    outgoing.once('response', resolve);
    outgoing.once('error', (cause) => reject(unreachableEngine(socketPath, cause)));
    outgoing.end(bytes ?? undefined);
  });
}

function unreachableEngine(socketPath: string, cause: Error): Fault {
  const denied = errorCodeOf(cause) === 'EACCES';
  return new Fault({
    code: 'docker-unreachable',
    kind: 'environment',
    message: `the Docker engine does not answer at ${socketPath}: ${messageOf(cause)}`,
    hint: denied
      ? 'Join the group that owns the socket (usually `docker`).'
      : 'Install it (e.g. `apt-get install docker.io`) and start its daemon; in a clone `tools/start-docker.sh` does.',
    cause,
  });
}

function messageIn(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // Not JSON: then the text itself is the message.
  }
  return text.trim().slice(0, 1000);
}
