import { existsSync, realpathSync } from 'node:fs';
import type { Limits } from '../contract.js';
import { baseSystem } from '../host/base-system.js';

/** Kernel uid of a container's first process: neither root nor the guest, so that no guest can signal it. */
export const INIT_UID = 65_534;
/** Our own processes in a container (first process, sleeper, a shell per command), which count against the limit. */
const OWN_PROCESSES = 4;
const CPU_UNITS = 1e9;
const SHM_BYTES = 1024 * 1024 * 1024;

/** Files of /etc on which it depends what names mean. */
const NAMING = ['hosts', 'hostname', 'resolv.conf', 'nsswitch.conf'];

/** What the engine mounts: a host folder, or a volume by its name. */
export interface ContainerMount {
  from: string;
  to: string;
  readOnly: boolean;
  volume: boolean;
}

export interface ContainerPlan {
  image: string;
  labels: Readonly<Record<string, string>>;
  limits: Limits;
  /** The host's network and resolver instead of an empty network. */
  sharesNetwork: boolean;
  mounts: readonly ContainerMount[];
  /** Folder with the guest's /etc. */
  etc: string;
  etcShared: readonly string[];
}

// Collects the dead children of others, which every first process must; the sleeper only gives it something to wait for.
const INIT = 'while :; do sleep 2147483 & wait $!; done';

/** The body of the engine's `create`: no root, no capability, no network, nothing writable but what is listed. */
export function containerSettings(plan: ContainerPlan): Record<string, unknown> {
  const { limits } = plan;
  const bind = (path: string, from = path): ContainerMount => ({ from, to: path, readOnly: true, volume: false });
  const mounts = [
    ...baseSystem().flatMap(({ path, link }) => (link === null ? [bind(path)] : [])),
    bind('/etc', plan.etc),
    // Named one by one, otherwise the engine puts its own versions there: the host's resolver, the container's id.
    ...NAMING.map((name) =>
      bind(`/etc/${name}`, plan.sharesNetwork ? realpathSync(`/etc/${name}`) : `${plan.etc}/${name}`),
    ),
    ...plan.etcShared.map((path) => bind(path)),
    ...plan.mounts,
  ];
  return {
    Image: plan.image,
    User: `${INIT_UID}:${INIT_UID}`,
    Cmd: ['/bin/sh', '-c', INIT],
    Labels: plan.labels,
    ...(plan.sharesNetwork ? {} : { Hostname: 'sandbox' }),
    HostConfig: {
      NetworkMode: plan.sharesNetwork ? 'host' : 'none',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      IpcMode: 'private',
      LogConfig: { Type: 'none', Config: {} },
      ShmSize: SHM_BYTES,
      ...(limits.pids === null ? {} : { PidsLimit: limits.pids + OWN_PROCESSES }),
      ...(limits.memoryBytes === null ? {} : { Memory: limits.memoryBytes, MemorySwap: limits.memoryBytes }),
      ...(limits.cpus === null ? {} : { NanoCpus: Math.round(limits.cpus * CPU_UNITS) }),
      Ulimits: [
        { Name: 'core', Soft: 0, Hard: 0 },
        ...(limits.diskBytes === null ? [] : [{ Name: 'fsize', Soft: limits.diskBytes, Hard: limits.diskBytes }]),
      ],
      // Without a network the engine switches version 6 off on the loopback too.
      ...(!plan.sharesNetwork && existsSync('/proc/sys/net/ipv6')
        ? { Sysctls: { 'net.ipv6.conf.all.disable_ipv6': '0' } }
        : {}),
      Mounts: mounts.map(({ from, to, readOnly, volume }) => ({
        Type: volume ? 'volume' : 'bind',
        Source: from,
        Target: to,
        ReadOnly: readOnly,
        ...(volume ? { VolumeOptions: { NoCopy: true } } : { BindOptions: { Propagation: 'rprivate' } }),
      })),
    },
  };
}
