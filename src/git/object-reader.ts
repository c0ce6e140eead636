import { PassThrough } from 'node:stream';
import { Fault } from '#kernel/faults.js';
import { startProcess } from '#process/index.js';
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
  resolve(object: GitObject | null): void;
  reject(thrown: unknown): void;
}

export async function openObjectReader(place: GitPlace): Promise<ObjectReader> {
  const input = new PassThrough();
  const waiting: Waiting[] = [];
  const parser = new BatchParser();
  const failAll = (reason: Fault): void => {
    for (const request of waiting.splice(0)) request.reject(reason);
  };
  const running = await startProcess({
    argv: gitArgv(place, ['cat-file', '--batch']),
    env: gitEnvironment(place),
    stdin: input,
    onStdout: (chunk) => {
      for (const answer of parser.push(chunk)) waiting.shift()?.resolve(answer);
    },
  });
  let closed = false;
  void running.ended.then((result) => {
    closed = true;
    failAll(
      new Fault({
        code: 'git-failed',
        kind: 'input',
        message: `git cat-file in ${place.gitDir} ended (exit code ${result.exitCode}): ${result.stderr.toString('utf8').trim()}`,
        hint: 'An object may be damaged: run `git fsck` in the repository.',
      }),
    );
  });
  return {
    read: (name) => {
      if (closed)
        return Promise.reject(
          new Fault({ code: 'reader-closed', kind: 'internal', message: `object ${name} asked of a closed reader` }),
        );
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        scheduleFlush(input, `${name}\n`);
      });
    },
    close: async () => {
      closed = true;
      input.end();
      await running.ended;
    },
  };
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
