import { createHmac, timingSafeEqual } from 'node:crypto';
import { readUntrusted } from '#store/index.js';
import { type ProcessFacts, parseReporterEvent, supervisorFact } from './report-facts.js';

/** A suite of 100 000 tests with messages stays far below. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;
const SEAL_CHARACTERS = 32;

export interface SuiteReport {
  /** The supervisor started, and came to its own end. */
  opened: boolean;
  ended: boolean;
  processes: ProcessFacts[];
  /** Why the report is not all ours: a line without a valid seal, out of its place, or repeated. */
  forgery: string | null;
  /** Why the report cannot be complete: missing, torn, too large. */
  gap: string | null;
}

/**
 * Reads the report of a suite run after the sandbox's command has ended: a regular file, no link followed, size capped,
 * every line sealed with this run's secret. Reading stops at the first line that is not ours.
 */
export async function readReport(path: string, secret: string): Promise<SuiteReport> {
  const report: SuiteReport = { opened: false, ended: false, processes: [], forgery: null, gap: null };
  const read = await readUntrusted(path, MAX_REPORT_BYTES);
  if ('refused' in read) {
    if (read.refused === 'not-regular') report.forgery = 'the report is not a regular file';
    else
      report.gap =
        read.refused === 'missing' ? 'there is no report' : `the report is larger than ${MAX_REPORT_BYTES} bytes`;
    return report;
  }
  let number = 0;
  let at = 0;
  for (let end = read.bytes.indexOf(10, at); end !== -1; end = read.bytes.indexOf(10, at)) {
    const line = read.bytes.toString('utf8', at, end);
    at = end + 1;
    if (!isSealed(line, number, secret)) {
      report.forgery = `line ${number + 1} of the report does not carry the seal of this run`;
      return report;
    }
    take(report, JSON.parse(line.slice(SEAL_CHARACTERS + 1)));
    number += 1;
  }
  if (at < read.bytes.length) report.gap = 'the last line of the report is torn';
  return report;
}

function isSealed(line: string, number: number, secret: string): boolean {
  const seal = Buffer.from(line.slice(0, SEAL_CHARACTERS), 'utf8');
  const text = line.slice(SEAL_CHARACTERS + 1);
  const expected = createHmac('sha256', secret).update(`${number} ${text}`).digest('hex').slice(0, SEAL_CHARACTERS);
  return seal.length === SEAL_CHARACTERS && timingSafeEqual(seal, Buffer.from(expected, 'utf8'));
}

function take(report: SuiteReport, value: unknown): void {
  const fact = supervisorFact.parse(value);
  if (fact.t === 'header') {
    report.opened = true;
    return;
  }
  if (fact.t === 'end') {
    report.ended = true;
    return;
  }
  if (fact.t === 'process-start') {
    report.processes.push({ events: [], garbage: 0, end: null });
    return;
  }
  const process = report.processes[fact.process];
  if (process === undefined) return;
  if (fact.t === 'process-end') {
    const { exitCode, signal, killed } = fact;
    const output = Buffer.from(fact.output, 'base64');
    process.end = { exitCode, signal, killed, spawnError: fact.spawnError ?? null, output };
    process.garbage += fact.garbage;
    return;
  }
  const event = parseReporterEvent(fact.event);
  if (event === null) process.garbage += 1;
  else process.events.push(event);
}
