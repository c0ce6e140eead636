import { readFile } from 'node:fs/promises';
import { delay } from '#kernel/async.js';
import { errorCodeOf } from '#kernel/faults.js';
import type { GuestProcess } from '../contract.js';
import { allProcesses, type ProcessEntry } from './process-table.js';

/** A process that does not give its memory's lock away for so long is not waited for. */
const PATIENCE_MS = 300;

/**
 * The processes with their command lines. A process that keeps us waiting is called by its short name, and so are all after
 * it: each waiting read blocks one of Node's few file threads.
 */
export async function withCommands(entries: readonly ProcessEntry[]): Promise<GuestProcess[]> {
  const named: GuestProcess[] = [];
  let patient = true;
  for (const { pid, name } of entries) {
    const line = patient ? await readMemory(`/proc/${pid}/cmdline`) : null;
    if (line === 'blocked') patient = false;
    const text = line instanceof Buffer ? line.toString('utf8').split('\0').join(' ').trim() : '';
    named.push({ pid, command: text === '' ? `[${name}]` : text });
  }
  return named;
}

/** Processes whose environment at their start held this text (a marker is inherited by whatever does not clear it). */
export async function processesMarked(marker: string): Promise<ProcessEntry[]> {
  const wanted = Buffer.from(marker);
  const found: ProcessEntry[] = [];
  for (const entry of allProcesses()) {
    const environment = await readMemory(`/proc/${entry.pid}/environ`);
    if (environment instanceof Buffer && environment.includes(wanted)) found.push(entry);
  }
  return found;
}

async function readMemory(path: string): Promise<Buffer | 'blocked' | null> {
  const reading = readFile(path).catch((thrown: unknown) => {
    // Gone meanwhile, or not ours to read.
    const code = errorCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw thrown;
  });
  return Promise.race([reading, delay(PATIENCE_MS).then(() => 'blocked' as const)]);
}
