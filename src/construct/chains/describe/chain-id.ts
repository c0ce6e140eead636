import { digestOfJson } from '#kernel/ids.js';

/** `c-` and 12 digits of the digest of the stages' commits: the same for the same stages. */
export function chainId(stages: readonly (readonly string[])[]): string {
  return `c-${digestOfJson(stages).slice('sha256:'.length, 'sha256:'.length + 12)}`;
}
