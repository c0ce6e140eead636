import { createHash, randomBytes } from 'node:crypto';

/** JSON with object keys sorted at every depth, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => {
    if (held === null || typeof held !== 'object' || Array.isArray(held)) return held;
    return Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** `sha256:<hex>` of bytes or text. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Digest of any JSON value, independent of key order. */
export function digestOfJson(value: unknown): string {
  return digestOf(canonicalJson(value));
}

/** An unguessable short name (hex) for temporary places and run tokens. Not for anything that must replay. */
export function unguessableId(bytes = 8): string {
  return randomBytes(bytes).toString('hex');
}
