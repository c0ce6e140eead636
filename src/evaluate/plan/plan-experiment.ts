import { dirname, resolve } from 'node:path';
import { scaffoldNamed } from '#agents/index.js';
import {
  type AgentConfiguration,
  durationMs,
  type Experiment,
  experimentDocument,
  sizeBytes,
} from '#documents/experiment.js';
import { experimentLayout } from '#documents/layout.js';
import { taskLine } from '#documents/results.js';
import { Fault } from '#kernel/faults.js';
import type { Limits } from '#sandbox/index.js';
import { cacheRoot, environmentFolder, openTaskPackage, readTextIfAny, type TaskPackage } from '#store/index.js';
import { chooseKind } from './choose-kind.js';
import { agentDigest } from './digests.js';
import { findTasks } from './find-tasks.js';
import { type ExperimentFile, readExperimentFile } from './read-experiment.js';

/** A task of an experiment, opened. */
export interface PlannedTask {
  package: TaskPackage;
  /** The environment's content on this machine; null for the empty one. */
  environmentFolder: string | null;
}

/** An experiment that can be run here: everything named in it exists, fits together and was read. */
export interface Plan {
  folder: string;
  experiment: Experiment;
  tasks: ReadonlyMap<string, PlannedTask>;
  /** The experiment's document before this plan, where the folder has one. */
  before: Experiment | null;
  limits: Limits;
}

export interface PlanRequest {
  file: string;
  /** The experiment's folder. */
  folder: string;
  toolVersion: string;
  countWords: (text: string) => number;
}

/**
 * Reads an experiment file and everything that it names. Nothing is written.
 * @throws Fault (usage, input, environment) naming file, line and field
 */
export async function planExperiment(request: PlanRequest): Promise<Plan> {
  const file = await readExperimentFile(request.file);
  const { input } = file;
  const base = dirname(resolve(request.file));
  const before = await documentBefore(request.folder);
  const agents = await planAgents(file, base);
  const kind = await chooseKind(file, agents, before?.sandbox.kind ?? null);
  const tasks = new Map<string, PlannedTask>();
  for (const folder of await findTasks(input.tasks, base, (index) => file.place('tasks', index))) {
    const opened = await openTaskPackage(folder);
    const held = tasks.get(opened.task.id);
    if (held !== undefined) {
      const message = `${file.place('tasks')}: ${held.package.folder} and ${folder} both are task ${JSON.stringify(opened.task.id)}`;
      throw new Fault({ code: 'task-twice', kind: 'input', message, hint: 'Leave one of them out.' });
    }
    const { digest, recipe } = opened.environment;
    const content = recipe.kind === 'empty' ? null : await environmentFolder(cacheRoot(), digest);
    tasks.set(opened.task.id, { package: opened, environmentFolder: content });
  }
  checkConcurrency(file, agents);
  const experiment: Experiment = {
    name: input.name,
    toolVersion: request.toolVersion,
    tasks: [...tasks.values()].map((task) => plannedTask(task.package, request.countWords)),
    agents: agents.map((agent) => ({ ...agent, digest: agentDigest(agent) })),
    protocol: input.protocol,
    sandbox: { ...input.sandbox, kind },
    concurrency: input.concurrency,
  };
  return { folder: request.folder, experiment, tasks, before, limits: limitsOf(experiment.sandbox) };
}

async function documentBefore(folder: string): Promise<Experiment | null> {
  const { document } = experimentLayout(folder);
  const text = await readTextIfAny(document);
  return text === null ? null : experimentDocument.parse(text, document);
}

async function planAgents(file: ExperimentFile, base: string): Promise<AgentConfiguration[]> {
  const planned: AgentConfiguration[] = [];
  for (const [index, agent] of file.input.agents.entries()) {
    if (planned.some(({ name }) => name === agent.name)) {
      const message = `${file.place('agents', index, 'name')}: a second agent is called ${JSON.stringify(agent.name)}`;
      throw new Fault({ code: 'agent-twice', kind: 'input', message, hint: 'Give every agent a name of its own.' });
    }
    const scaffold = scaffoldNamed(agent.scaffold);
    try {
      const resolved = (await scaffold.resolve?.(agent, base)) ?? agent;
      scaffold.check(resolved);
      planned.push(resolved);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      const { code, kind, hint, context } = thrown;
      const message = `${file.place('agents', index, 'options')}: ${thrown.message}`;
      throw new Fault({ code, kind, message, context, cause: thrown, ...(hint === null ? {} : { hint }) });
    }
  }
  return planned;
}

function checkConcurrency(file: ExperimentFile, agents: readonly AgentConfiguration[]): void {
  for (const name of Object.keys(file.input.concurrency.perAgent)) {
    if (agents.some((agent) => agent.name === name)) continue;
    throw new Fault({
      code: 'agent-unknown',
      kind: 'input',
      message: `${file.place('concurrency', 'perAgent', name)}: no agent of the experiment is called so`,
      hint: `Its agents are ${agents.map((agent) => agent.name).join(', ')}.`,
    });
  }
}

/** What an experiment's document says of a task. */
export function plannedTask(opened: TaskPackage, countWords: (text: string) => number): Experiment['tasks'][number] {
  const { task } = opened;
  const stages = [...task.stages.keys()];
  return {
    ...{ id: task.id, folder: resolve(opened.folder), publicDigest: task.publicDigest, gateDigest: task.gateDigest },
    stages: stages.length,
    suites: [...stages, 'chain' as const].map((place) => opened.suite(place).gateDigest),
    specWords: stages.map((stage) => countWords(opened.requirement(stage)) + countWords(opened.contract(stage))),
    line: taskLine.parse({
      kind: 'task',
      ...{ task: task.id, language: task.language, domain: task.domain },
      ...{ repo: task.source.repo, stars: task.source.stars },
      featureSourceLines: task.stages.reduce((sum, stage) => sum + stage.sourceLines, 0),
      stages: task.stages.map(({ sourceLines, testLines, sourceFiles, sharedFileShare }) => ({
        ...{ sourceLines, testLines, sourceFiles, sharedFileShare },
      })),
    }),
  };
}

/** The limits that an experiment puts on its sandboxes. */
export function limitsOf({ pids, memory, cpus, disk }: Experiment['sandbox']): Limits {
  return {
    pids,
    memoryBytes: memory === null ? null : sizeBytes(memory),
    cpus,
    diskBytes: disk === null ? null : sizeBytes(disk),
  };
}

/** Milliseconds that a stage of a task may take: the smaller of what the experiment and the task allow. */
export function stageBudgetMs(experiment: Experiment, task: TaskPackage): number {
  return Math.min(durationMs(experiment.protocol.stageBudget), task.task.budgets.stageMs);
}
