import { codeSpan, codeSpansIn, comparableText } from './code-span.js';
import { type ContractEntry, ENTRY_KINDS } from './material.js';

const EMPTY = 'No name, signature, constant or message beyond those that the workspace has.';

/** The contract as Markdown: one line an entry, which begins with its kind and name, so that a line removed is an entry removed. */
export function printContract(entries: readonly ContractEntry[]): string {
  const lines = ['# Contract', '', 'Names, signatures, values and texts that are to be exactly as written here.', ''];
  if (entries.length === 0) lines.push(EMPTY);
  let module: string | null = null;
  for (const entry of entries) {
    const heading = isText(entry) ? '' : (entry.module ?? '');
    if (heading !== module && lines.at(-1) !== '') lines.push('');
    module = heading;
    lines.push(printEntry(entry));
  }
  return `${lines.join('\n')}\n`;
}

function isText({ kind }: ContractEntry): boolean {
  return kind === 'message' || kind === 'text' || kind === 'flag';
}

/** One line, without its end. */
export function printEntry(entry: ContractEntry): string {
  const head = `- ${entry.kind} ${codeSpan(entry.name)}`;
  const from = entry.module === null ? '' : ` in ${codeSpan(entry.module)}`;
  const error = entry.error === null ? '' : ` of ${codeSpan(entry.error)}`;
  const changed = entry.change === 'changed' ? ' (changed)' : '';
  const signature = entry.signature === null || entry.signature === entry.name ? '' : `: ${codeSpan(entry.signature)}`;
  // A head that has the value in it need not say it twice.
  const value =
    entry.value === null || (entry.signature?.includes(entry.value) ?? false) ? '' : ` = ${codeSpan(entry.value)}`;
  const examples = entry.examples.length === 0 ? '' : `, as in ${entry.examples.map(codeSpan).join(', ')}`;
  return `${head}${from}${error}${changed}${signature}${value}${examples}`;
}

/** One line of a contract read back. */
export interface ContractLine {
  kind: string;
  name: string;
  /** Where the line says the name is taken from, null where it does not. */
  module: string | null;
}

const LINE = new RegExp(`^\\s*[-*] +(${ENTRY_KINDS.join('|')})\\b`);

/** The entries that a contract declares, whoever wrote it: lines that begin with a kind and a name in a code span. */
export function readContract(text: string): ContractLine[] {
  const lines: ContractLine[] = [];
  for (const line of text.split('\n')) {
    const kind = LINE.exec(line)?.[1];
    const [name, second] = kind === undefined ? [] : codeSpansIn(line);
    if (kind === undefined || name === undefined) continue;
    const from = line.slice(line.indexOf(name) + name.length);
    lines.push({
      kind,
      name,
      module: second !== undefined && /^`* in `/.test(from.replace(/^ (?=`)/, '')) ? second : null,
    });
  }
  return lines;
}

/** The entries that no line declares. Every entry takes a line of its own, so of two overloads one line tells one. */
export function undeclaredEntries(entries: readonly ContractEntry[], lines: readonly ContractLine[]): ContractEntry[] {
  const free = [...lines];
  return entries.filter((entry) => {
    const at = free.findIndex((line) => declares(line, entry));
    if (at < 0) return true;
    free.splice(at, 1);
    return false;
  });
}

/** By name, text compared without regard to white space; the same name may be a text, an export and a definition. */
function declares(line: ContractLine, entry: ContractEntry): boolean {
  const wanted = comparableText(codeSpansIn(codeSpan(entry.name))[0] ?? entry.name);
  const sameModule = line.module === null || entry.module === null || line.module === entry.module;
  return sameModule && comparableText(line.name) === wanted && classOf(line.kind) === classOf(entry.kind);
}

function classOf(kind: string): string {
  if (kind === 'message' || kind === 'text' || kind === 'flag') return 'text';
  return kind === 'export' || kind === 'module' ? kind : 'definition';
}
