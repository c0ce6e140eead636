import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKey } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import type { ExecRequest, SandboxProcess } from '#sandbox/index.js';
import type { AgentFacts, AgentSessionRequest, AgentTurn } from '../contract.js';
import { turnFacts } from '../turn-facts.js';
import { type ScriptAction, sleepMs } from './script.js';

export interface StartedProcess {
  process: SandboxProcess;
  live: boolean;
}

interface Play {
  request: AgentSessionRequest;
  turn: AgentTurn;
  started: StartedProcess[];
  reported: Partial<AgentFacts>;
  deadline: number;
}

/** What an action says about the turn's end: null to go on. */
type End = Partial<AgentFacts> | null;

/** Plays one stage's actions in order until one ends the turn or its time is spent. */
export async function playTurn(
  request: AgentSessionRequest,
  turn: AgentTurn,
  actions: readonly ScriptAction[],
  started: StartedProcess[],
): Promise<AgentFacts> {
  const startedAt = performance.now();
  const play: Play = { request, turn, started, reported: {}, deadline: startedAt + turn.budgetMs };
  let end: End = null;
  for (const action of actions) {
    if (turn.signal.aborted) end = { exitCode: null, signal: 'SIGKILL' };
    else if (performance.now() >= play.deadline) end = { timedOut: true, exitCode: null };
    else end = await act(play, action);
    if (end !== null) break;
  }
  const activity = actions.length > 0;
  return turnFacts({ activity, ...play.reported, ...end, durationMs: performance.now() - startedAt });
}

async function act(play: Play, action: ScriptAction): Promise<End> {
  try {
    if ('run' in action || 'start' in action) return await actInside(play, action);
    if ('sleep' in action) return await sleep(play, sleepMs(action.sleep));
    if ('exit' in action) return { exitCode: action.exit };
    if ('say' in action) await say(play.turn, action.say);
    else if ('report' in action) Object.assign(play.reported, withoutUndefined(action.report));
    else await edit(play, action);
    return null;
  } catch (thrown) {
    // A path that the script cannot have is the scripted agent's failure, not the experiment's.
    if (thrown instanceof Fault && thrown.kind === 'input') return { exitCode: 1, error: thrown.message };
    throw thrown;
  }
}

type EditAction = Exclude<
  ScriptAction,
  | { run: unknown }
  | { start: unknown }
  | { sleep: unknown }
  | { exit: unknown }
  | { say: unknown }
  | { report: unknown }
>;

async function edit({ request: { files } }: Play, action: EditAction): Promise<void> {
  if ('write' in action) {
    const { path, text, base64, executable } = action.write;
    const content = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    await files.write(keyOf(path), content, executable);
  } else if ('append' in action) {
    const before = (await files.read(keyOf(action.append.path))) ?? Buffer.alloc(0);
    await files.write(keyOf(action.append.path), Buffer.concat([before, Buffer.from(action.append.text)]));
  } else if ('replace' in action) {
    const { path, old } = action.replace;
    const text = (await files.read(keyOf(path)))?.toString('utf8') ?? '';
    if (!text.includes(old)) throw cannot(`${path} does not contain ${JSON.stringify(old)}`);
    await files.write(keyOf(path), Buffer.from(text.replace(old, () => action.replace.new)));
  } else if ('delete' in action) await files.remove(keyOf(action.delete));
  else if ('move' in action) await files.move(keyOf(action.move.from), keyOf(action.move.to));
  else if ('chmod' in action) await files.setMode(keyOf(action.chmod.path), Number.parseInt(action.chmod.mode, 8));
  else await files.link(keyOf(action.link.path), Buffer.from(action.link.target));
}

async function actInside(
  play: Play,
  action: Extract<ScriptAction, { run: unknown } | { start: unknown }>,
): Promise<End> {
  const { request, turn, deadline } = play;
  const line = 'run' in action ? action.run : action.start;
  const exec: ExecRequest = {
    argv: typeof line === 'string' ? ['sh', '-c', line] : line,
    cwd: request.workspace,
    timeoutMs: Math.max(1, deadline - performance.now()),
  };
  if ('start' in action) {
    const { timeoutMs: _none, ...unlimited } = exec;
    play.started.push({ process: await request.sandbox.start(unlimited), live: action.live });
    return null;
  }
  const process = await request.sandbox.start(exec);
  const abort = (): void => {
    process.kill().catch(() => undefined);
  };
  turn.signal.addEventListener('abort', abort, { once: true });
  const result = await process.ended.finally(() => turn.signal.removeEventListener('abort', abort));
  await say(turn, Buffer.concat([result.stdout, result.stderr]));
  const survivors = [...(play.reported.survivors ?? []), ...(result.survivors ?? [])];
  if (survivors.length > 0) play.reported.survivors = survivors;
  if (result.timedOut) return { timedOut: true, exitCode: null };
  const failed = result.exitCode !== 0 || result.signal !== null;
  return failed && !action.mayFail ? { exitCode: result.exitCode, signal: result.signal } : null;
}

async function sleep({ turn, deadline }: Play, ms: number): Promise<End> {
  const left = deadline - performance.now();
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      turn.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, Math.max(0, left)));
    turn.signal.addEventListener('abort', done, { once: true });
    if (turn.signal.aborted) done();
  });
  if (turn.signal.aborted) return { exitCode: null, signal: 'SIGKILL' };
  return ms >= left ? { timedOut: true, exitCode: null } : null;
}

async function say(turn: AgentTurn, words: string | Buffer): Promise<void> {
  await appendFile(join(turn.nativeFolder, 'output.txt'), words);
}

function keyOf(path: string): string {
  return pathKey(Buffer.from(path, 'utf8'));
}

function cannot(message: string): Fault {
  return new Fault({ code: 'script-failed', kind: 'input', message });
}

function withoutUndefined<T extends object>(value: T): Partial<AgentFacts> {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined));
}
