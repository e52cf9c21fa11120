import { escapeControl } from './terminal.ts';

type Cells = readonly (readonly string[])[];

/**
 * Rows as a table with aligned columns; the first row is the header. When it is wider than the window, each row is a
 * block with a line for each of its cells instead.
 * @param columns the width of the window, in characters; undefined without one
 */
export const renderTable = (cells: Cells, columns?: number): string => {
  const rows = cells.map((row) => row.map(escapeControl));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
  }
  const lines = rows.map((row) =>
    row
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const isTooWide = columns !== undefined && lines.some((line) => line.length > columns);
  return isTooWide ? renderBlocks(rows) : lines.map((line) => `${line}\n`).join('');
};

const renderBlocks = ([header = [], ...rows]: Cells): string => {
  const indent = Math.max(...header.map((name) => name.length));
  const blocks = rows.map((row) =>
    row.map((text, index) => `${(header[index] ?? '').padEnd(indent)}  ${text}`.trimEnd()).join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
};
