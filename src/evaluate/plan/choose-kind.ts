import { scaffoldNamed } from '#agents/index.js';
import type { AgentConfiguration } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';
import { chooseSandbox, type SandboxKind, sandboxMember } from '#sandbox/index.js';
import type { ExperimentFile } from './read-experiment.js';

/**
 * The one kind of sandbox of an experiment.
 * @param before the kind that its runs had so far: `auto` stays with it
 * @throws Fault `local-not-isolating` (usage), `sandbox-unusable` or `no-sandbox` (environment)
 */
export async function chooseKind(
  file: ExperimentFile,
  agents: readonly AgentConfiguration[],
  before: SandboxKind | null,
): Promise<SandboxKind> {
  const wanted = file.input.sandbox.kind;
  const untrusted = agents.filter(({ scaffold }) => scaffoldNamed(scaffold).capabilities.executesModelOutput);
  if (wanted === 'auto') {
    const kind = before ?? (await chooseSandbox({ isolatingNeeded: untrusted.length > 0 }));
    return checkKind(kind, file, untrusted);
  }
  return checkKind(wanted, file, untrusted);
}

async function checkKind(
  kind: SandboxKind,
  file: ExperimentFile,
  untrusted: readonly AgentConfiguration[],
): Promise<SandboxKind> {
  const [agent] = untrusted;
  if (kind === 'local' && agent !== undefined) {
    throw new Fault({
      code: 'local-not-isolating',
      kind: 'usage',
      message: `${file.place('sandbox', 'kind')}: local isolates nothing, and agent ${agent.name} (${agent.scaffold}) may run what a model says`,
      hint: 'Use bwrap or docker, or auto; `featurearc doctor` says what this machine lacks for them.',
    });
  }
  const probe = await sandboxMember(kind).probe();
  if (probe.usable) return kind;
  throw new Fault({
    code: 'sandbox-unusable',
    kind: 'environment',
    message: `${file.place('sandbox', 'kind')}: ${kind} cannot be used here: ${probe.reason ?? 'unknown reason'}`,
    hint: probe.hint ?? 'Choose another kind; `featurearc doctor` tries them all.',
  });
}
