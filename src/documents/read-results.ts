import { Fault, messageOf } from '#kernel/faults.js';
import { type ResultLine, resultLine } from './results.js';

/** The lines of one results file, and what its reader noticed. */
export interface ResultsRead {
  /** The file's name as the user knows it. */
  readonly where: string;
  readonly lines: readonly NumberedResult[];
  /** A last line that was cut in the middle of being written: left out, never guessed at. */
  readonly torn: { readonly line: number; readonly bytes: number } | null;
}

/** One line with its place, so that later complaints can name it. */
export interface NumberedResult {
  readonly where: string;
  /** Counted from 1. */
  readonly line: number;
  readonly value: ResultLine;
}

/**
 * Reads results.jsonl. Unknown keys are kept, absent fields are null. A torn last line is tolerated and reported;
 * any other line that is not a result is a fault.
 * @param source the whole text, or its pieces in order (a file's read stream)
 * @param where the file's name as the user knows it
 * @throws Fault `results-line-invalid` (input) naming file, line and field
 */
export async function readResults(
  source: string | AsyncIterable<string | Uint8Array>,
  where: string,
): Promise<ResultsRead> {
  const reader = lineReader(where);
  if (typeof source === 'string') {
    reader.take(source);
    return reader.end();
  }
  const decoder = new TextDecoder('utf-8');
  for await (const piece of source) {
    reader.take(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
  }
  reader.take(decoder.decode());
  return reader.end();
}

function lineReader(where: string): { take(text: string): void; end(): ResultsRead } {
  const lines: NumberedResult[] = [];
  let pending = '';
  let number = 0;

  const accept = (text: string): void => {
    number += 1;
    const bare = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (bare.trim() !== '') lines.push({ where, line: number, value: parseLine(bare, where, number) });
  };

  return {
    take: (text) => {
      const parts = (pending + text).split('\n');
      pending = parts.pop() ?? '';
      for (const part of parts) accept(part);
    },
    end: () => {
      if (pending.trim() === '') return { where, lines, torn: null };
      if (isJson(pending)) {
        accept(pending);
        return { where, lines, torn: null };
      }
      return { where, lines, torn: { line: number + 1, bytes: Buffer.byteLength(pending) } };
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseLine(text: string, where: string, line: number): ResultLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidLine(`${where}: line ${line}: not valid JSON: ${messageOf(cause)}`, { where, line }, cause);
  }
  const parsed = resultLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? '(the line itself)' : issue.path.map(String).join('.');
  throw invalidLine(
    `${where}: line ${line}: field ${field}: ${issue?.message ?? 'invalid'}`,
    { where, line, field },
    undefined,
  );
}

function invalidLine(message: string, context: Record<string, unknown>, cause: unknown): Fault {
  return new Fault({
    code: 'results-line-invalid',
    kind: 'input',
    message,
    hint: 'A results file has one JSON object per line with kind task, stage, chain, matrix, label or inheritance; an unknown value is null.',
    context,
    cause,
  });
}
