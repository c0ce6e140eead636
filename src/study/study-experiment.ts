import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Findings, findingsDocument } from '#documents/findings.js';
import { type ResultsRead, readResults } from '#documents/read-results.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { writeFileAtomic } from '#store/index.js';
import { composeFindings, STUDY_DEFAULTS, type StudySettings } from './compose-findings.js';
import {
  renderCsv,
  renderGridCsv,
  renderHtml,
  renderLatex,
  renderMarkdown,
  renderTerminalTable,
} from './report/index.js';

/** What a report can be written as. */
export const REPORT_FORMATS = ['html', 'markdown', 'csv', 'latex', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface StudyRequest extends Partial<StudySettings> {
  /** Results files, read as one. */
  readonly resultsPaths: readonly string[];
  /** Where the files go; made where missing. */
  readonly outDir: string;
  readonly formats: readonly ReportFormat[];
  /** Whether the returned terminal table may use colours. */
  readonly color?: boolean;
}

export interface Study {
  readonly findings: Findings;
  /** The main table, ready to print. */
  readonly terminal: string;
  /** Every file written. */
  readonly paths: readonly { readonly format: ReportFormat; readonly path: string }[];
}

/**
 * Studies results files and writes the report. Runs nothing; reads nothing but the results.
 * @throws Fault (input) naming file, line and field where a results file cannot be used
 */
export async function studyExperiment(request: StudyRequest): Promise<Study> {
  const reads: ResultsRead[] = [];
  for (const path of request.resultsPaths) reads.push(await readResultsFile(path));
  const findings = composeFindings(reads, { ...STUDY_DEFAULTS, ...given(request) });
  const paths: { format: ReportFormat; path: string }[] = [];
  for (const format of new Set(request.formats)) {
    for (const [name, content] of render(format, findings)) {
      const path = join(request.outDir, name);
      await writeFileAtomic(path, content);
      paths.push({ format, path });
    }
  }
  return { findings, terminal: renderTerminalTable(findings, { color: request.color ?? false }), paths };
}

/** Reads one results file as a stream. @throws Fault `file-missing`, `results-line-invalid` (input) */
export async function readResultsFile(path: string): Promise<ResultsRead> {
  try {
    return await readResults(createReadStream(path), path);
  } catch (cause) {
    const code = errorCodeOf(cause);
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EISDIR') throw cause;
    throw new Fault({
      code: 'file-missing',
      kind: 'input',
      message: `${path}: no results file here`,
      hint: 'Name a results.jsonl; an experiment keeps one in its folder.',
      cause,
    });
  }
}

function render(format: ReportFormat, findings: Findings): [name: string, content: string][] {
  switch (format) {
    case 'html':
      return [['report.html', renderHtml(findings)]];
    case 'markdown':
      return [['report.md', renderMarkdown(findings)]];
    case 'csv':
      return [
        ['figures.csv', renderCsv(findings)],
        ['stages.csv', renderGridCsv(findings)],
      ];
    case 'latex':
      return [['report.tex', renderLatex(findings)]];
    case 'json':
      return [['findings.json', findingsDocument.print(findings)]];
  }
}

function given({ seed, resamples, confidence, method, filter }: StudyRequest): Partial<StudySettings> {
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(resamples === undefined ? {} : { resamples }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(method === undefined ? {} : { method }),
    ...(filter === undefined ? {} : { filter }),
  };
}
