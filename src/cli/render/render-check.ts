import type { CheckReport } from '#evaluate/index.js';
import { plainText } from './plain-text.js';

/** Findings as a person reads them: refusals first, each with its place and what to do. */
export function renderReport({ task, ok, findings }: CheckReport & { task: string }): string {
  const lines = findings.map(({ severity, file, field, message, hint }) => {
    const place = plainText(field === null ? file : `${file}: ${field}`);
    return `  ${severity === 'refusal' ? 'refused' : 'note   '} ${place}\n          ${plainText(message)}\n          → ${plainText(hint)}\n`;
  });
  return `${plainText(task)}: ${ok ? 'admitted' : 'refused'}\n${lines.join('')}`;
}
