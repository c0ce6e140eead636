/** Runs commands that nobody trusts: bwrap, docker and local behind one contract, plus the choice between them. */
export type {
  ExecRequest,
  ExecResult,
  GuestProcess,
  Limits,
  Mount,
  Sandbox,
  SandboxFacts,
  SandboxKind,
  SandboxMember,
  SandboxProbe,
  SandboxProcess,
  SandboxRequest,
} from './contract.js';
export { GATEWAY_FOLDER, GATEWAY_SOCKET } from './host/gateway-forwarding.js';
export { chooseSandbox, openSandbox, probeSandboxes, sandboxMember } from './registry.js';
export { type Toolchains, toolchainMounts } from './toolchain-mounts.js';
export { whileOpen } from './while-open.js';
