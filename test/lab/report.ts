/** What came of something that was promised, or of a fault that was planted. */
type Verdict = 'held' | 'BROKEN' | 'late' | 'left out' | 'noticed' | 'UNNOTICED';

const verdictWidth = 'UNNOTICED'.length;

/** A line of a report. @param seen what was observed, in figures */
export const resultLine = (verdict: Verdict, what: string, seen?: string): string =>
  `${verdict.padEnd(verdictWidth)}  ${what}${seen === undefined ? '' : `: ${seen}`}`;

/** A line of progress, in line with those of results. */
export const progressLine = (text: string): string => `${' '.repeat(verdictWidth)}  ${text}`;

/** Aligns rows as text: the first column to the left, all others to the right. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
};

/** Such as `1,234`. */
export const grouped = (value: number): string => value.toLocaleString('en');

/** Such as `1.5 s`. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Such as `15 ms`. */
export const inMilliseconds = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;
