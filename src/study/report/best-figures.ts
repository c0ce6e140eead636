import type { FindingsTable } from '#documents/findings.js';

/** For each column the rows that hold its best value; empty where there is nothing to prefer. The pooled row never wins. */
export function bestRows(table: FindingsTable): ReadonlySet<number>[] {
  return table.columns.map((column, place) => {
    if (column.better === null) return new Set();
    const values = table.rows.map((row) => (row.agent === null ? null : (row.figures[place]?.value ?? null)));
    const known = values.filter((value) => value !== null);
    if (known.length < 2 || new Set(known).size < 2) return new Set();
    const best = column.better === 'higher' ? Math.max(...known) : Math.min(...known);
    return new Set(values.flatMap((value, row) => (value === best ? [row] : [])));
  });
}
