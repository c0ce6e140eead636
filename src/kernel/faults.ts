/**
 * What went wrong for the operator. What happens inside an experiment is data (outcomes, statuses), never a Fault.
 * - `usage` the command line is wrong · `input` a file, repository or document is wrong
 * - `environment` this machine lacks something · `internal` our bug
 */
export type FaultKind = 'usage' | 'input' | 'environment' | 'internal';

export interface FaultDetails {
  /** Stable kebab-case name, listed in docs/faults.md. */
  code: string;
  kind: FaultKind;
  /** What is wrong and where (file and field or line). Never a secret. */
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Further facts for `--json` and logs. Never a secret. */
  context?: Record<string, unknown>;
  cause?: unknown;
}

/** The one exception class of the product: typed, with a hint, printed without a stack unless `--debug`. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;
  readonly kind: FaultKind;
  readonly hint: string | null;
  readonly context: Record<string, unknown>;

  constructor(details: FaultDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.kind = details.kind;
    this.hint = details.hint ?? null;
    this.context = details.context ?? {};
  }
}

/** The message of anything thrown, for use inside a Fault's own message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The Node error code (`ENOENT`, `ENOSPC`, ...) of anything thrown, or null where it has none. */
export function errorCodeOf(thrown: unknown): string | null {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return null;
}

/** The value, or our bug where it is missing: for look-ups that earlier code has made certain. */
export function certain<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new Fault({
      code: 'uncertain',
      kind: 'internal',
      message: `${what} is missing although it was made certain before`,
    });
  }
  return value;
}
