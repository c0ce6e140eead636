import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentSession, scaffoldNamed } from '#agents/index.js';
import { Fault } from '#kernel/faults.js';
import type { Sandbox } from '#sandbox/index.js';
import { openUntrustedFolder } from '#store/index.js';
import { openWorkspaceSandbox } from '#testbed/index.js';
import type { RunContext } from './run-context.js';
import { unenforcedLimits } from './unenforced-limits.js';
import { referenceHand } from './workspace/index.js';

const WORKSPACE = '/workspace';
const HOME = '/featurearc/home';
const PROMPT = '/featurearc/prompt';

/** An agent's open sandbox with its session in it. */
export interface AgentPlace {
  sandbox: Sandbox;
  session: AgentSession;
  sessionId: string;
  /** The prompt's path as the agent sees it. */
  promptFile: string;
  /** Time that the environment's own preparation took. */
  prepareMs: number;
  close(): Promise<void>;
}

/**
 * Opens the agent's sandbox on the run's live folders, prepares the environment, and opens or resumes the session.
 * @throws Fault (environment) where the sandbox cannot be had or a prepare step fails
 */
export async function openAgentPlace(
  context: RunContext,
  session: { sessionId: string; nativeSessionId: string | null },
): Promise<AgentPlace> {
  const { request, live } = context;
  const { plan, task, agent, clock } = request;
  for (const folder of [live.home, live.tmp, live.prompt]) await mkdir(folder, { recursive: true, mode: 0o755 });
  const sandbox = await openWorkspaceSandbox({
    kind: plan.experiment.sandbox.kind,
    environment: task.package.environment,
    environmentFolder: task.environmentFolder,
    hostWorkspace: live.workspace,
    homeFolder: live.home,
    tmpFolder: live.tmp,
    limits: plan.limits,
    label: context.labels.agent,
    extraMounts: [{ from: live.prompt, to: PROMPT, mode: 'ro' }],
  });
  try {
    await tellUnenforced(context, sandbox);
    const startedAt = clock.monotonicMs();
    await prepare(context, sandbox);
    const prepareMs = clock.monotonicMs() - startedAt;
    const scaffold = scaffoldNamed(agent.scaffold);
    const files = openUntrustedFolder(live.workspace);
    const opened = await scaffold.open({
      configuration: agent,
      sandbox,
      workspace: WORKSPACE,
      home: HOME,
      files,
      ...session,
      modelAccess: null,
      reference: scaffold.capabilities.hostSide ? referenceHand(context.repository, task.package, files) : null,
      seed: `${plan.experiment.protocol.seed}/${request.attempt}`,
      task: task.package.task.id,
    });
    const close = async (): Promise<void> => {
      try {
        await opened.close();
      } finally {
        await sandbox.close();
      }
    };
    const promptFile = join(sandbox.guestPath(PROMPT), 'prompt.md');
    return { sandbox, session: opened, sessionId: session.sessionId, promptFile, prepareMs, close };
  } catch (thrown) {
    await sandbox.close();
    throw thrown;
  }
}

async function prepare({ request }: RunContext, sandbox: Sandbox): Promise<void> {
  for (const step of request.task.package.environment.prepare) {
    const cwd = step.cwd.startsWith('/') ? step.cwd : join(WORKSPACE, step.cwd);
    const { exitCode, timedOut, stderr } = await sandbox.exec({ argv: step.argv, cwd, timeoutMs: step.timeoutMs });
    await sandbox.killAll();
    if (exitCode === 0) continue;
    throw new Fault({
      code: 'prepare-failed',
      kind: 'environment',
      message: `task ${request.task.package.task.id}: preparing the environment (${step.argv.join(' ')}) ${timedOut ? 'took too long' : `failed: ${stderr.toString('utf8').trim().slice(-500)}`}`,
      hint: 'Run `featurearc check` on the task here: its environment may not fit this machine.',
    });
  }
}

/** A limit that was asked for and is not held is told where the operator looks; the journal keeps it for every stage. */
async function tellUnenforced(
  { request: { plan, agent, task, progress } }: RunContext,
  sandbox: Sandbox,
): Promise<void> {
  const missing = unenforcedLimits(plan.limits, (await sandbox.facts()).enforced);
  if (missing.length === 0) return;
  const message = `${agent.name} on ${task.package.task.id}: ${plan.experiment.sandbox.kind} does not enforce the limits asked for: ${missing.join(', ')}`;
  progress({ kind: 'notice', level: 'warning', message });
}
