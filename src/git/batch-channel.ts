import { PassThrough } from 'node:stream';
import { Fault } from '#kernel/faults.js';
import { type ProcessResult, type RunningProcess, startProcess } from '#process/index.js';
import { type GitPlace, gitArgv, gitEnvironment } from './run-git.js';

export interface ChannelRequest {
  /** Named in faults. */
  name: string;
  args: readonly string[];
  onStdout: (chunk: Buffer) => void;
  /** Answers seen so far; -1 where the output so far ends inside an answer. */
  answered: () => number;
}

/** A git process that answers one line of input after the other, and must have answered all when it ends. */
export class BatchChannel {
  private readonly pending: string[] = [];
  private asked = 0;

  private constructor(
    private readonly place: GitPlace,
    private readonly request: ChannelRequest,
    private readonly input: PassThrough,
    private readonly running: RunningProcess,
  ) {}

  static async open(place: GitPlace, request: ChannelRequest): Promise<BatchChannel> {
    const input = new PassThrough();
    const running = await startProcess({
      argv: gitArgv(place, request.args),
      env: gitEnvironment(place),
      stdin: input,
      onStdout: request.onStdout,
    });
    return new BatchChannel(place, request, input, running);
  }

  /** Keeps the line for the next `flush`. */
  ask(line: string): void {
    this.asked += 1;
    this.pending.push(line);
  }

  flush(): void {
    if (this.pending.length > 0) this.input.write(this.pending.splice(0).join(''));
  }

  /** Ends the input and waits. @throws Fault `git-failed`, `git-stream-short` (input) */
  async finish(): Promise<void> {
    this.flush();
    this.input.end();
    const result = await this.running.ended;
    if (result.exitCode !== 0) throw gitFault(this.place, this.request.name, result);
    if (this.request.answered() === this.asked) return;
    throw new Fault({
      code: 'git-stream-short',
      kind: 'input',
      message: `git ${this.request.name} in ${this.place.gitDir} answered ${this.request.answered()} of ${this.asked} requests: ${lastWords(result)}`,
      hint: 'Run `git fsck` in the repository; a shallow, partial or damaged clone lacks objects that are needed.',
    });
  }

  async kill(): Promise<void> {
    await this.running.end();
  }
}

export function gitFault(place: GitPlace, name: string, result: ProcessResult): Fault {
  const how = result.exitCode === null ? `was ended by ${result.signal}` : `exit code ${result.exitCode}`;
  return new Fault({
    code: 'git-failed',
    kind: 'input',
    message: `git ${name} in ${place.gitDir}: ${how}: ${lastWords(result)}`,
    hint: 'Run `git fsck` in the repository; a shallow, partial or damaged clone lacks objects that are needed.',
    context: { exitCode: result.exitCode, stderr: lastWords(result) },
  });
}

function lastWords(result: ProcessResult): string {
  return result.stderr.toString('utf8').trim().split('\n').slice(-3).join(' · ');
}
