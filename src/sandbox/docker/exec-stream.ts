import type { IncomingMessage } from 'node:http';

const HEADER_BYTES = 8;

/**
 * The lines that a command's shell reports over an attached stream of the engine. The engine packs what comes into
 * frames (1 byte stream number, 3 unused, 4 length); only their content matters here.
 */
export async function* linesOf(answer: IncomingMessage): AsyncGenerator<string> {
  let packed = Buffer.alloc(0);
  let text = '';
  for await (const part of answer) {
    packed = Buffer.concat([packed, part as Buffer]);
    while (packed.length >= HEADER_BYTES) {
      const length = packed.readUInt32BE(4);
      if (packed.length < HEADER_BYTES + length) break;
      text += packed.subarray(HEADER_BYTES, HEADER_BYTES + length).toString('utf8');
      packed = packed.subarray(HEADER_BYTES + length);
    }
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  if (text !== '') yield text;
}
