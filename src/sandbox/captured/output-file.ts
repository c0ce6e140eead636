import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const POLL_MS = 50;
const COPY_BYTES = 1024 * 1024;

export interface OutputPlace {
  /** Where the command writes. */
  path: string;
  maxBytes: number;
  /** Kernel uid that must be able to open it (and /dev/stdout) anew; null: whoever we are. */
  owner: number | null;
  /** A file elsewhere that follows the output, where the command cannot be given that file itself. */
  mirror: string | null;
}

/**
 * A file that takes a command's output and never holds more than a cap for long: what comes after the cap is cut off
 * again and again while the command runs, so that the first bytes stay and the disk does not fill.
 * A file and not a pipe, because programs lose output on a pipe whose reader is slow, and cannot reopen a socket.
 */
export class OutputFile {
  truncated = false;
  private readonly timer: NodeJS.Timeout;
  private pending: Promise<void> = Promise.resolve();
  private mirrored = 0;

  private constructor(
    private readonly handle: FileHandle,
    private readonly mirror: FileHandle | null,
    private readonly maxBytes: number,
  ) {
    this.timer = setInterval(() => {
      this.pending = this.pending.then(() => this.attend());
    }, POLL_MS);
    this.timer.unref();
  }

  static async create(place: OutputPlace): Promise<OutputFile> {
    const handle = await openFresh(place.path);
    if (place.owner !== null) await handle.chown(place.owner, place.owner);
    return new OutputFile(handle, place.mirror === null ? null : await openFresh(place.mirror), place.maxBytes);
  }

  /** To be given to a child process as its stdout or stderr. */
  get fd(): number {
    return this.handle.fd;
  }

  /**
   * Ends the watch; the file keeps at most the cap.
   * @returns the kept bytes, where `wanted`
   */
  async finish(wanted: boolean): Promise<Buffer> {
    clearInterval(this.timer);
    await this.pending;
    await this.attend();
    try {
      return wanted ? await this.read(0, Math.min(this.maxBytes, (await this.handle.stat()).size)) : Buffer.alloc(0);
    } finally {
      await this.handle.close();
      await this.mirror?.close();
    }
  }

  private async attend(): Promise<void> {
    const { size } = await this.handle.stat();
    if (this.mirror !== null) await this.follow(this.mirror, Math.min(size, this.maxBytes));
    if (size <= this.maxBytes) return;
    this.truncated = true;
    await this.handle.truncate(this.maxBytes);
  }

  private async follow(mirror: FileHandle, end: number): Promise<void> {
    while (this.mirrored < end) {
      const part = await this.read(this.mirrored, Math.min(end - this.mirrored, COPY_BYTES));
      if (part.length === 0) return;
      await mirror.write(part);
      this.mirrored += part.length;
    }
  }

  private async read(from: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.handle.read(buffer, 0, length, from);
    return buffer.subarray(0, bytesRead);
  }
}

function openFresh(path: string): Promise<FileHandle> {
  const { O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;
  return open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0o600);
}
