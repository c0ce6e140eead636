import { isAscii, isUtf8 } from 'node:buffer';

/** Source bytes as text, with the way back from text positions (UTF-16 units) to byte offsets. */
export interface SourceText {
  text: string;
  /** Byte offset of every text position, one more than there are positions; null where both are the same. */
  byteOffsets: Uint32Array | null;
}

/** UTF-8 where the bytes are UTF-8, else one character a byte: no byte is lost, so positions stay exact. */
export function decodeSource(source: Buffer): SourceText {
  if (isAscii(source) || !isUtf8(source)) return { text: source.toString('latin1'), byteOffsets: null };
  const text = source.toString('utf8');
  const byteOffsets = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    byteOffsets[at] = bytes;
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    // A pair makes four bytes; a position between its halves counts as the pair's middle.
    else bytes += 2;
  }
  byteOffsets[text.length] = bytes;
  return { text, byteOffsets };
}
