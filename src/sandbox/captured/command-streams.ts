import { type FileHandle, open, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unguessableId } from '#kernel/ids.js';
import type { ExecRequest } from '../contract.js';
import { OutputFile } from './output-file.js';

const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface StreamPlaces {
  request: ExecRequest;
  /** Folder of the harness for streams. */
  folder: string;
  /** Kernel uid of the command, where it is not ours. */
  owner: number | null;
  /** The command inherits open files, so it can write into any file of the host; otherwise only into `folder`. */
  inherited: boolean;
}

/** The three standard streams of one command, all of them files (so a command can open /dev/stdin or /dev/stdout anew). */
export class CommandStreams {
  private constructor(
    /** Names within the folder, where the streams are not inherited. */
    readonly names: { stdin: string | null; stdout: string; stderr: string },
    readonly stdin: FileHandle | null,
    readonly stdout: OutputFile,
    readonly stderr: OutputFile,
    private readonly request: ExecRequest,
    private readonly temporary: readonly string[],
  ) {}

  static async open({ request, folder, owner, inherited }: StreamPlaces): Promise<CommandStreams> {
    const base = join(folder, unguessableId());
    const temporary: string[] = [];
    const output = async (wanted: string | undefined, ending: string): Promise<OutputFile> => {
      const own = `${base}.${ending}`;
      const path = inherited && wanted !== undefined ? wanted : own;
      if (path === own) temporary.push(own);
      const maxBytes = request.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
      return OutputFile.create({ path, maxBytes, owner, mirror: inherited ? null : (wanted ?? null) });
    };
    const stdin = await openInput(request.stdin, `${base}.in`, owner);
    if (stdin !== null) temporary.push(`${base}.in`);
    const name = basename(base);
    return new CommandStreams(
      { stdin: stdin === null ? null : `${name}.in`, stdout: `${name}.out`, stderr: `${name}.err` },
      stdin,
      await output(request.stdoutFile, 'out'),
      await output(request.stderrFile, 'err'),
      request,
      temporary,
    );
  }

  /** Ends the capture, gives what is to be given in memory and removes what was only for it. */
  async finish(): Promise<{ stdout: Buffer; stderr: Buffer; truncated: boolean }> {
    const stdout = await this.stdout.finish(this.request.stdoutFile === undefined);
    const stderr = await this.stderr.finish(this.request.stderrFile === undefined);
    await this.stdin?.close();
    for (const path of this.temporary) await unlink(path);
    return { stdout, stderr, truncated: this.stdout.truncated || this.stderr.truncated };
  }
}

async function openInput(
  stdin: Uint8Array | undefined,
  path: string,
  owner: number | null,
): Promise<FileHandle | null> {
  if (stdin === undefined) return null;
  await writeFile(path, stdin, { mode: 0o600, flag: 'wx' });
  const handle = await open(path, 'r');
  if (owner !== null) await handle.chown(owner, owner);
  return handle;
}
