import type { Sandbox } from './contract.js';

/**
 * Works in an open sandbox and closes it whatever happens. When `signal` aborts, everything inside is killed at once and
 * the signal's reason is thrown, whatever the work made of it.
 */
export async function whileOpen<T>(
  sandbox: Sandbox,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  // What closing fails at is thrown by the second call below.
  const stop = (): void => void sandbox.close().catch(() => undefined);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    return await work();
  } finally {
    signal?.removeEventListener('abort', stop);
    await sandbox.close();
    signal?.throwIfAborted();
  }
}
