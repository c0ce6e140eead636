import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '#kernel/faults.js';
import { readResults } from './read-results.js';

const stage = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({ kind: 'stage', agent: 'a', task: 't', attempt: 1, stage: 0, ...more });

describe('readResults', () => {
  it('reads null and absent fields as unknown, never as 0 or false', async () => {
    const { lines } = await readResults(`${stage({ f2p: null })}\n`, 'results.jsonl');
    expect(lines[0]?.value).toMatchObject({
      f2p: null,
      p2p: null,
      outcome: null,
      level: null,
      round: 0,
      seconds: null,
    });
  });

  it('keeps keys that it does not know', async () => {
    const { lines } = await readResults(stage({ 'x-team': { seat: 4 } }), 'r');
    expect(lines[0]?.value).toMatchObject({ 'x-team': { seat: 4 } });
  });

  it('tolerates and reports a torn last line', async () => {
    const read = await readResults(`${stage()}\n{"kind":"stage","agent":"é`, 'r');
    expect(read.lines).toHaveLength(1);
    expect(read.torn).toEqual({ line: 2, bytes: 27 });
  });

  it('accepts a whole last line without a newline, a byte order mark, CRLF and blank lines', async () => {
    const read = await readResults(`\uFEFF${stage()}\r\n\r\n${stage({ stage: 1 })}`, 'r');
    expect(read.lines.map(({ line }) => line)).toEqual([1, 3]);
    expect(read.torn).toBeNull();
  });

  it('names file and line where the middle of a file is damaged', async () => {
    const damaged = readResults(`${stage()}\n{"kind":\n${stage()}\n`, 'team/results.jsonl');
    await expect(damaged).rejects.toThrow(/^team\/results\.jsonl: line 2: not valid JSON/);
    await expect(damaged).rejects.toBeInstanceOf(Fault);
  });

  it('names the field that is wrong', async () => {
    await expect(readResults(`${stage({ f2p: 'yes' })}\n`, 'r')).rejects.toThrow(/^r: line 1: field f2p: /);
    await expect(readResults('{"kind":"stge"}\n', 'r')).rejects.toThrow(/^r: line 1: field kind: /);
    await expect(readResults('[1]\n', 'r')).rejects.toThrow(/^r: line 1: /);
  });

  it('reads the same from pieces cut anywhere as from the whole text', async () => {
    const text = `${stage({ agent: '云🙂' })}\n${stage({ stage: 1, note: 'ü' })}\n`;
    const whole = await readResults(text, 'r');
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index] ?? 0, end));
        expect(await readResults(Readable.from(pieces), 'r')).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });
});
