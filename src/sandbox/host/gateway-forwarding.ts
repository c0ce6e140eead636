import { fileURLToPath } from 'node:url';
import type { ExecRequest, Mount, SandboxRequest } from '../contract.js';

/** Guest path of the folder that holds the model gateway's socket, where a sandbox has one. */
export const GATEWAY_FOLDER = '/featurearc/gateway';
/** Name that the gateway's socket must have in its folder; others must be allowed to connect to it (mode 0666). */
export const GATEWAY_SOCKET = 'gateway.sock';

const FORWARDER = '/featurearc/forward.mjs';
const NODE = '/featurearc/node';

/** What carries the gateway in: its socket's folder, our forwarder and the program that runs it. */
export function gatewayMounts(network: SandboxRequest['network']): Mount[] {
  if (typeof network !== 'object') return [];
  return [
    { from: network.socketDir, to: GATEWAY_FOLDER, mode: 'ro' },
    { from: fileURLToPath(new URL('../guest/forward.mjs', import.meta.url)), to: FORWARDER, mode: 'ro' },
    { from: process.execPath, to: NODE, mode: 'ro' },
  ];
}

/** The command line inside: the request's own, or the forwarder with it where it wants the gateway at a port. */
export function guestArguments(request: ExecRequest, guestPath: (path: string) => string): string[] {
  if (request.gatewayPort === undefined) return [...request.argv];
  const socket = `${guestPath(GATEWAY_FOLDER)}/${GATEWAY_SOCKET}`;
  return [guestPath(NODE), guestPath(FORWARDER), String(request.gatewayPort), socket, ...request.argv];
}
