import type { Writable } from 'node:stream';
import type { Progress } from '#kernel/events.js';
import type { ExitCode } from '#kernel/exit-codes.js';

/** What every command gets: where to speak, how progress is shown, how the operator interrupts. */
export interface CommandContext {
  /** The answer. With `--json` exactly one JSON value. */
  answer(text: string, json: unknown): void;
  /** Everything else: notes, warnings, next steps. */
  note(text: string): void;
  progress: Progress;
  json: boolean;
  /** First Ctrl-C or SIGTERM: come to an end; what can go on later finishes its step, what cannot ends at once. */
  stopSoon: AbortSignal;
  /** Second: stop now. */
  stopNow: AbortSignal;
}

export interface GlobalOptions {
  json: boolean;
  debug: boolean;
  quiet: boolean;
}

export interface Interruption {
  soon: AbortSignal;
  now: AbortSignal;
  /** The signal that came, if any. */
  received(): NodeJS.Signals | null;
  dispose(): void;
}

/** Listens for Ctrl-C and SIGTERM while a command runs. */
export function listenForInterruption(say: (text: string) => void): Interruption {
  const soon = new AbortController();
  const now = new AbortController();
  let received: NodeJS.Signals | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received === null) say('\nstopping; once more to stop at once\n');
    else now.abort();
    received = signal;
    soon.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    soon: soon.signal,
    now: now.signal,
    received: () => received,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** A command's work: returns the exit code for what it found. */
export type CommandAction = (context: CommandContext) => Promise<ExitCode>;

/** Turns a command's work into what commander calls. */
export type Bind = (action: CommandAction) => () => Promise<void>;

export interface Streams {
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean; columns?: number };
}
