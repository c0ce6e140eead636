import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';

const POLL_MS = 50;

/**
 * A file that takes a command's output and never holds more than a cap for long: what comes after the cap is cut off
 * again and again while the command runs, so that the first bytes stay and the disk does not fill.
 * A file and not a pipe, because programs lose output on a pipe whose reader is slow, and cannot reopen a socket.
 */
export class OutputFile {
  truncated = false;
  private readonly timer: NodeJS.Timeout;
  private pending: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly maxBytes: number,
  ) {
    this.timer = setInterval(() => {
      this.pending = this.pending.then(() => this.cut());
    }, POLL_MS);
    this.timer.unref();
  }

  /**
   * @param owner who must be able to open /dev/stdout anew inside; null: whoever we are
   */
  static async create(path: string, maxBytes: number, owner: number | null): Promise<OutputFile> {
    const flags =
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND | constants.O_NOFOLLOW;
    const handle = await open(path, flags, 0o600);
    if (owner !== null) await handle.chown(owner, owner);
    return new OutputFile(path, handle, maxBytes);
  }

  get fd(): number {
    return this.handle.fd;
  }

  /** Ends the watch; the file keeps at most the cap. */
  async finish(): Promise<void> {
    clearInterval(this.timer);
    await this.pending;
    await this.cut();
    await this.handle.close();
  }

  /** The kept bytes of a file of our own, which is removed. Only after `finish`. */
  async take(): Promise<Buffer> {
    const reader = await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const kept = await reader.readFile();
      // A process that survived its command may have written on meanwhile.
      return kept.length > this.maxBytes ? kept.subarray(0, this.maxBytes) : kept;
    } finally {
      await reader.close();
      await unlink(this.path);
    }
  }

  private async cut(): Promise<void> {
    const { size } = await this.handle.stat();
    if (size <= this.maxBytes) return;
    this.truncated = true;
    await this.handle.truncate(this.maxBytes);
  }
}
