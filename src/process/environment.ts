/**
 * A variable of the operator's own environment, for the few that trusted host-side programs need.
 * Agents and graders never get any of these.
 */
export function hostVariable(name: string): string | null {
  return process.env[name] ?? null;
}

/** The least that a trusted program of the host needs to run: the search path, and an English, UTF-8, colourless world. */
export function plainEnvironment(): Record<string, string> {
  return {
    PATH: hostVariable('PATH') ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
}
