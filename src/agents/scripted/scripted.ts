import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { AgentConfiguration } from '#documents/experiment.js';
import { Fault, messageOf } from '#kernel/faults.js';
import { readText } from '#store/index.js';
import { checkOptions } from '../check-options.js';
import type { AgentScaffold } from '../contract.js';
import { playTurn, type StartedProcess } from './play-turn.js';
import { script } from './script.js';

/** Plays what a file says, stage by stage: edits from the host, commands in the sandbox. */
export const scripted: AgentScaffold = {
  name: 'scripted',
  capabilities: { hostSide: true, executesModelOutput: false, resume: 'stateless', usage: 'per-stage' },
  check: (configuration) => {
    checkOptions(configuration, script);
  },
  resolve: readScript,
  open: async (request) => {
    const { stages } = checkOptions(request.configuration, script);
    const started: StartedProcess[] = [];
    const endAll = async (): Promise<void> => {
      await Promise.all(started.splice(0).map(({ process }) => process.kill()));
    };
    return {
      turn: (turn) => playTurn(request, turn, stages[turn.stage] ?? [], started),
      interrupt: endAll,
      close: endAll,
      liveProcesses: () => started.filter(({ live }) => live).map(({ process }) => process.pid),
    };
  },
};

/** `options.file` (YAML or JSON, relative to the experiment's file) becomes `options.stages`. */
async function readScript(configuration: AgentConfiguration, folder: string): Promise<AgentConfiguration> {
  if (configuration.options.file === undefined) return configuration;
  const { file } = checkOptions(configuration, z.strictObject({ file: z.string().min(1) }));
  const path = resolve(folder, file);
  const text = await readText(path, `Agent ${configuration.name} names it as options.file.`);
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new Fault({
      code: 'script-not-yaml',
      kind: 'input',
      message: `${path}: ${messageOf(cause)}`,
      hint: 'A script is YAML (or JSON): stages: a list of lists of actions.',
      cause,
    });
  }
  const parsed = script.safeParse(value);
  if (parsed.success) return { ...configuration, options: parsed.data };
  const issue = parsed.error.issues[0];
  throw new Fault({
    code: 'script-invalid',
    kind: 'input',
    message: `${path}: field ${issue?.path.map(String).join('.') || '(the document itself)'}: ${issue?.message ?? 'invalid'}`,
    hint: 'docs/run.md lists the actions of a script.',
  });
}
