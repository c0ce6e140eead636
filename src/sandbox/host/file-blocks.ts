/** A file size limit as the shell's `ulimit -f` takes it (blocks of 512 bytes, POSIX); `-` for none. */
export function fileBlocks(maxBytes: number | null): string {
  return maxBytes === null ? '-' : String(Math.ceil(maxBytes / 512));
}
