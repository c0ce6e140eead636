import type { ManifestMerge } from '#documents/suite.js';
import { emptyManifest, type ManifestValues, parseManifest } from './manifest-values.js';

export interface ManifestMergeRequest {
  format: ManifestMerge['format'];
  /** Paths of keys that steer the runner or name development dependencies. */
  fields: readonly (readonly string[])[];
  /** What the agent left; null where there is no such file. */
  agent: Buffer | null;
  /** The suite's copy; null where the reference has no such file. */
  reference: Buffer | null;
  /** The file in the reference states the agent may have started from: a value found there is no deed of the agent. */
  known: readonly Buffer[];
}

export type ManifestMergeResult =
  | {
      /** What is graded; null: no such file. The agent's bytes where no field differs. */
      content: Buffer | null;
      /** Fields that the agent itself had changed, as `a.b`. */
      reset: string[];
    }
  | { unreadable: string };

/**
 * Takes the steering fields of a manifest from the reference and everything else from the agent. A field that the
 * reference lacks is removed; a manifest that the agent removed is made again with the steering fields alone.
 */
export function mergeManifest(request: ManifestMergeRequest): ManifestMergeResult {
  const { format, agent, fields } = request;
  if (agent !== null && request.known.some((known) => known.equals(agent)) && isUnreadable(format, agent))
    return { content: agent, reset: [] };
  const own = agent === null ? { values: emptyManifest(format) } : parseManifest(format, agent);
  if ('unreadable' in own) return own;
  const reference = valuesOf(format, request.reference);
  const known = request.known.map((content) => valuesOf(format, content));
  if (agent === null) known.push(emptyManifest(format));
  let changed = false;
  const reset: string[] = [];
  for (const field of fields) {
    if (own.values.sameAt(reference, field)) continue;
    if (!known.some((values) => own.values.sameAt(values, field))) reset.push(field.join('.'));
    own.values.takeFrom(reference, field);
    changed = true;
  }
  if (!changed) return { content: agent, reset };
  return { content: own.values.isEmpty() && agent === null ? null : own.values.print(), reset };
}

function isUnreadable(format: ManifestMerge['format'], content: Buffer): boolean {
  return 'unreadable' in parseManifest(format, content);
}

/** A reference that nobody can read steers nothing. */
function valuesOf(format: ManifestMerge['format'], content: Buffer | null): ManifestValues {
  const parsed = content === null ? null : parseManifest(format, content);
  return parsed !== null && 'values' in parsed ? parsed.values : emptyManifest(format);
}
