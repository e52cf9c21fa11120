import { visible } from './escape-control.ts';

/** Rows of texts as a table, the first of them its head. */
export const columns = (cells: readonly (readonly string[])[]): string => {
  const rows = cells.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [place, text] of row.entries()) widths[place] = Math.max(widths[place] ?? 0, text.length);
  }
  return rows
    .map(
      (row) =>
        `${row
          .map((text, place) => text.padEnd(widths[place] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};
