import type { Verdict } from '#documents/verdict.js';
import type { Cheat } from './cheat.js';

export interface TableRow {
  cheat: Cheat;
  verdict: Verdict | undefined;
  /** With twins off. */
  unguarded: Verdict | undefined;
}

/** Prints what became of every cheat. */
export function printTable(rows: readonly TableRow[]): void {
  const lines = [
    ['runner', 'cheat', 'F2P', 'P2P', 'failure', 'marks', 'without twins', 's'],
    ...rows.map(({ cheat, verdict, unguarded }) => [
      cheat.runner,
      cheat.name,
      String(verdict?.f2p ?? null),
      String(verdict?.p2p ?? null),
      verdict?.failure ?? '-',
      [...new Set(verdict?.marks.map(({ mark }) => mark))].join(' ') || '-',
      unguarded === undefined ? '' : unguarded.f2p === true ? 'passes' : 'fails',
      (verdict?.seconds ?? 0).toFixed(1),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}
