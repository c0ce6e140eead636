import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { type ExperimentInput, experimentInput } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';
import { readText } from '#store/index.js';

/** An experiment file as read, with a way to say where in it something stands. */
export interface ExperimentFile {
  path: string;
  input: ExperimentInput;
  /** `file:line: field x.y`, for messages. */
  place(...field: (string | number)[]): string;
}

/** Reads an experiment file. @throws Fault (input) naming file, line and field */
export async function readExperimentFile(path: string): Promise<ExperimentFile> {
  const text = await readText(path, 'Give an experiment file (YAML); docs/run.md shows one.');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new Fault({
      code: 'experiment-not-yaml',
      kind: 'input',
      message: `${path}:${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`,
      hint: 'Correct the YAML at that line.',
    });
  }
  const place = (...field: (string | number)[]): string => {
    const line = lineOf(document, lines, field);
    const name = field.length === 0 ? '(the file itself)' : field.join('.');
    return `${path}${line === null ? '' : `:${line}`}: field ${name}`;
  };
  const parsed = experimentInput.safeParse(document.toJS());
  if (parsed.success) return { path, input: parsed.data, place };
  const issue = parsed.error.issues[0];
  const field = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  throw new Fault({
    code: 'experiment-invalid',
    kind: 'input',
    message: `${place(...field)}: ${issue?.message ?? 'invalid'}`,
    hint: 'docs/run.md lists the fields of an experiment file.',
    context: { field: field.join('.') },
  });
}

/** The line of a field, or of the nearest thing around it that the file has. */
function lineOf(document: Document, lines: LineCounter, field: readonly (string | number)[]): number | null {
  for (let length = field.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(field.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
