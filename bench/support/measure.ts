import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface Measured {
  ms: number;
  /** Processor time of the process and everything it started and waited for. */
  cpuSeconds: number;
}

/** Runs a program to its end, its output dropped. */
export async function runMeasured(argv: readonly string[]): Promise<Measured> {
  const { output: _none, ...measured } = await run(argv, false);
  return measured;
}

/** Runs the present bench again with other arguments; its last line of output is JSON. */
export async function runSelf<T>(args: readonly string[]): Promise<Measured & { answer: T }> {
  const { output, ...measured } = await run([process.execPath, process.argv[1] ?? '', ...args], true);
  return { ...measured, answer: JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as T };
}

async function run(argv: readonly string[], keep: boolean): Promise<Measured & { output: string }> {
  const before = childSeconds();
  const started = performance.now();
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    if (keep) parts.push(chunk);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${argv.slice(0, 3).join(' ')} ended with ${code}`);
  return {
    ms: performance.now() - started,
    cpuSeconds: childSeconds() - before,
    output: Buffer.concat(parts).toString(),
  };
}

/** User and system time of all children waited for so far (proc(5), fields 16 and 17, in hundredths of a second). */
function childSeconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

export function ratio(own: number, baseline: number): string {
  return `${(own / baseline).toFixed(2)}x`;
}

/** The name of a clone: its folder, or the one above a bare `repo` or `.git`. */
export function nameOf(repository: string): string {
  const name = basename(repository);
  return name === 'repo' || name === '.git' ? basename(dirname(repository)) : name;
}
