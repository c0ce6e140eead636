import { PassThrough } from 'node:stream';
import { Fault } from '#kernel/faults.js';
import { type ProcessResult, startProcess } from '#process/index.js';
import { heldObjects } from './held-objects.js';
import { type GitPlace, gitArgv, gitEnvironment } from './run-git.js';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  oid: string;
  type: ObjectType;
  content: Buffer;
}

/** One long-lived `cat-file --batch`: 0.2 ms an object instead of 3 ms a process. Requests are answered in order. */
export interface ObjectReader {
  /** The object, or null where the repository has none of that name (a full id or any revision without a newline). */
  read(name: string): Promise<GitObject | null>;
  close(): Promise<void>;
}

interface Waiting {
  name: string;
  resolve(object: GitObject | null): void;
  reject(thrown: unknown): void;
}

export async function openObjectReader(place: GitPlace): Promise<ObjectReader> {
  const reader = new RestartingReader(place);
  await reader.start();
  return reader;
}

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * In a partial clone git ends over the first object that was left out, as nothing may be fetched. That object is then
 * answered as missing and a new process takes over what is still waiting.
 */
class RestartingReader implements ObjectReader {
  private readonly waiting: Waiting[] = [];
  private input: PassThrough | null = null;
  private ended: Promise<void> = Promise.resolve();
  private closed = false;
  /** What there is, once something has turned out to be left out: a process for each missing object would be slow. */
  private held: ReadonlySet<string> | null = null;

  constructor(private readonly place: GitPlace) {}

  async start(): Promise<void> {
    const input = new PassThrough();
    const parser = new BatchParser();
    const running = await startProcess({
      argv: gitArgv(this.place, ['cat-file', '--batch']),
      env: gitEnvironment(this.place),
      stdin: input,
      onStdout: (chunk) => {
        for (const answer of parser.push(chunk)) this.waiting.shift()?.resolve(answer);
      },
    });
    this.input = input;
    for (const { name } of this.waiting) scheduleFlush(input, `${name}\n`);
    if (this.closed) input.end();
    this.ended = running.ended.then((result) => this.onEnd(result));
  }

  read(name: string): Promise<GitObject | null> {
    if (this.closed)
      return Promise.reject(
        new Fault({ code: 'reader-closed', kind: 'internal', message: `object ${name} asked of a closed reader` }),
      );
    if (this.isLeftOut(name)) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, resolve, reject });
      if (this.input !== null) scheduleFlush(this.input, `${name}\n`);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.input?.end();
    // A process that took over in the meantime is waited for too.
    for (let awaited: Promise<void> | null = null; awaited !== this.ended; await awaited) awaited = this.ended;
  }

  private isLeftOut(name: string): boolean {
    return this.held !== null && FULL_ID.test(name) && !this.held.has(name);
  }

  private async onEnd(result: ProcessResult): Promise<void> {
    this.input = null;
    const words = result.stderr.toString('utf8').trim();
    if (this.waiting.length > 0 && !this.closed && /could not fetch/i.test(words)) {
      try {
        await this.goOn();
        return;
      } catch (thrown) {
        this.failAll(thrown);
      }
    }
    this.closed = true;
    this.failAll(
      new Fault({
        code: 'git-failed',
        kind: 'input',
        message: `git cat-file in ${this.place.gitDir} ended (exit code ${result.exitCode}): ${words}`,
        hint: 'An object may be damaged: run `git fsck` in the repository.',
      }),
    );
  }

  private async goOn(): Promise<void> {
    this.waiting.shift()?.resolve(null);
    // With a folder of new objects, what is there changes all the time.
    if (this.place.objectDirectory === undefined) this.held ??= await heldObjects(this.place);
    for (const request of this.waiting.splice(0))
      if (this.isLeftOut(request.name)) request.resolve(null);
      else this.waiting.push(request);
    await this.start();
  }

  private failAll(reason: unknown): void {
    for (const request of this.waiting.splice(0)) request.reject(reason);
  }
}

const pendingText = new WeakMap<PassThrough, string[]>();

/** Requests of one turn of the event loop go out in one write. */
function scheduleFlush(input: PassThrough, text: string): void {
  const held = pendingText.get(input);
  if (held !== undefined) {
    held.push(text);
    return;
  }
  const fresh = [text];
  pendingText.set(input, fresh);
  queueMicrotask(() => {
    pendingText.delete(input);
    input.write(fresh.join(''));
  });
}

/** Incremental parser of `<oid> <type> <size>\n<content>\n` and `<name> missing\n`. */
export class BatchParser {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private body: { oid: string; type: ObjectType; size: number } | null = null;

  *push(chunk: Buffer): Generator<GitObject | null> {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    for (;;) {
      if (this.body !== null) {
        if (this.heldBytes < this.body.size + 1) return;
        const { oid, type, size } = this.body;
        const content = this.take(size + 1).subarray(0, size);
        this.body = null;
        yield { oid, type, content };
        continue;
      }
      const header = this.takeLine();
      if (header === null) return;
      const match = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) ([0-9]+)$/.exec(header);
      if (match === null) yield null;
      else this.body = { oid: match[1] as string, type: match[2] as ObjectType, size: Number(match[3]) };
    }
  }

  private joined(): Buffer {
    const all = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held);
    this.held = [all];
    return all;
  }

  private take(bytes: number): Buffer {
    const all = this.joined();
    this.held = [all.subarray(bytes)];
    this.heldBytes -= bytes;
    return all.subarray(0, bytes);
  }

  private takeLine(): string | null {
    if (this.heldBytes === 0) return null;
    const end = this.joined().indexOf(0x0a);
    return end < 0
      ? null
      : this.take(end + 1)
          .subarray(0, end)
          .toString('utf8');
  }
}
