import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ExecResult, SandboxProcess } from '#sandbox/index.js';
import { checkOptions } from '../check-options.js';
import type { AgentFacts, AgentScaffold, AgentSessionRequest, AgentTurn } from '../contract.js';
import { turnFacts } from '../turn-facts.js';

const options = z.strictObject({
  /** Given to `sh -c` in the workspace once per stage. */
  command: z.string().min(1),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable name'), z.string()).default({}),
});

/**
 * Any shell command, run once per stage: $FEATUREARC_PROMPT_FILE is the prompt, $FEATUREARC_SESSION_ID stays the same
 * through all stages, $FEATUREARC_STAGE counts from 0.
 */
export const command: AgentScaffold = {
  name: 'command',
  capabilities: { hostSide: false, executesModelOutput: true, resume: 'stateless', usage: 'none' },
  check: (configuration) => {
    checkOptions(configuration, options);
  },
  open: async (request) => {
    const { command: line, env } = checkOptions(request.configuration, options);
    const running = new Set<SandboxProcess>();
    return {
      turn: (turn) => runTurn(request, turn, { line, env, running }),
      interrupt: async () => killAll(running),
      close: async () => killAll(running),
      liveProcesses: () => [],
    };
  },
};

async function killAll(running: ReadonlySet<SandboxProcess>): Promise<void> {
  await Promise.all([...running].map((process) => process.kill()));
}

async function runTurn(
  request: AgentSessionRequest,
  turn: AgentTurn,
  { line, env, running }: { line: string; env: Record<string, string>; running: Set<SandboxProcess> },
): Promise<AgentFacts> {
  const output = { stdout: join(turn.nativeFolder, 'stdout.txt'), stderr: join(turn.nativeFolder, 'stderr.txt') };
  const process = await request.sandbox.start({
    argv: ['sh', '-c', line],
    cwd: request.workspace,
    env: {
      ...env,
      FEATUREARC_PROMPT_FILE: turn.promptFile,
      FEATUREARC_SESSION_ID: request.sessionId,
      FEATUREARC_STAGE: String(turn.stage),
    },
    // Files, not pipes: programs lose output on a pipe whose reader is slow.
    stdoutFile: output.stdout,
    stderrFile: output.stderr,
    timeoutMs: turn.budgetMs,
  });
  running.add(process);
  const abort = (): void => {
    // A kill that fails shows in `ended`; closing the sandbox tries again.
    process.kill().catch(() => undefined);
  };
  turn.signal.addEventListener('abort', abort, { once: true });
  if (turn.signal.aborted) abort();
  try {
    const result = await process.ended;
    const sizes = await Promise.all([stat(output.stdout), stat(output.stderr)]);
    return factsOf(
      result,
      sizes.some(({ size }) => size > 0),
    );
  } finally {
    turn.signal.removeEventListener('abort', abort);
    running.delete(process);
  }
}

function factsOf(result: ExecResult, activity: boolean): AgentFacts {
  return turnFacts({
    exitCode: result.exitCode,
    signal: result.signal,
    timedOut: result.timedOut,
    activity,
    survivors: result.survivors,
    error: result.oom === true ? 'killed for memory' : null,
    durationMs: result.durationMs,
  });
}
