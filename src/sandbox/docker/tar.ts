/** An empty folder, or a link where `link` is given. */
export interface TarEntry {
  path: string;
  link: string | null;
}

const BLOCK_BYTES = 512;

/** A tar archive (ustar) of empty folders and links, the same bytes for the same entries. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(headerOf), Buffer.alloc(2 * BLOCK_BYTES)]);
}

function headerOf({ path, link }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(link === null ? `${path}/` : path, 0, 'utf8');
  octal(0o755, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(0, 124, 12);
  octal(0, 136, 12);
  header.write(link === null ? '5' : '2', 156, 'latin1');
  if (link !== null) header.write(link, 157, 'utf8');
  header.write('ustar\x0000', 257, 'latin1');
  // The checksum is taken with blanks in its own place.
  header.write('        ', 148, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
