import { Fault } from '#kernel/faults.js';
import { bwrapMember } from './bwrap/bwrap-member.js';
import type { Sandbox, SandboxKind, SandboxMember, SandboxProbe, SandboxRequest } from './contract.js';
import { dockerMember } from './docker/docker-member.js';
import { localMember } from './local/local-member.js';

/** In the order in which `chooseSandbox` prefers them. */
const MEMBERS: readonly SandboxMember[] = [bwrapMember, dockerMember, localMember];

/** The sandbox implementation of a kind. */
export function sandboxMember(kind: SandboxKind): SandboxMember {
  const member = MEMBERS.find((candidate) => candidate.kind === kind);
  if (member !== undefined) return member;
  throw new Fault({ code: 'sandbox-unknown', kind: 'usage', message: `there is no sandbox ${JSON.stringify(kind)}` });
}

/**
 * Opens a sandbox of a kind; close it whatever happens.
 * @throws Fault (environment) where it cannot be had, (input) where a mount is wrong
 */
export async function openSandbox(kind: SandboxKind, request: SandboxRequest): Promise<Sandbox> {
  return sandboxMember(kind).open(request);
}

/** What each kind can do on this machine, in order of preference. Starts real sandboxes, so it takes some 100 ms. */
export async function probeSandboxes(): Promise<SandboxProbe[]> {
  return Promise.all(MEMBERS.map((member) => member.probe()));
}

/**
 * The kind for `auto`: bwrap, else docker; `local` only where nothing untrusted runs.
 * @param options.isolatingNeeded the agent executes what a model says
 * @throws Fault `no-sandbox` (environment) naming what each kind lacks
 */
export async function chooseSandbox(options: { isolatingNeeded: boolean }): Promise<SandboxKind> {
  const lacking: string[] = [];
  for (const member of MEMBERS) {
    const probe = await member.probe();
    if (options.isolatingNeeded && !probe.isolating) continue;
    if (probe.usable) return probe.kind;
    lacking.push(`${probe.kind}: ${probe.reason ?? 'not usable'} (${probe.hint ?? 'no remedy known'})`);
  }
  throw new Fault({
    code: 'no-sandbox',
    kind: 'environment',
    message: `no sandbox that isolates can be used here. ${lacking.join('; ')}`,
    hint: 'Install bubblewrap or start the Docker daemon; `featurearc doctor` tries them.',
  });
}
