import { escapeControl } from '../framework/terminal.ts';
import type { Skipped } from './batches.ts';
import { type Previewed, previewObjects, printPreview } from './dry-run.ts';
import { emptiedByColumn, textOfEmptied } from './emptied-text.ts';
import type { ImportReport, Job } from './run-import.ts';

/** Prints the result: one line, or with `--json` one object. */
export const printSummary = async (report: ImportReport, job: Job): Promise<void> => {
  const { added, updated, unchanged, rejected } = report.totals;
  if (job.arguments.json) {
    const counts = { added, changed: updated, unchanged, bad: rejected };
    return job.terminal.print(`${JSON.stringify({ ...counts, ...restOf(report) })}\n`);
  }
  for (const line of notesOf(report, job)) await job.terminal.notify(line);
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  return job.terminal.print(
    `${linesRead(report, job)}: ${counts}${skippedPart(report)}${emptiedPart(report, job)}.\n`,
  );
};

/** Prints what an import would read. @param first the first products */
export const printDryRun = async (
  report: ImportReport,
  first: readonly Previewed[],
  job: Job,
): Promise<void> => {
  const { added, rejected } = report.totals;
  if (job.arguments.json) {
    const counts = { dry_run: true, products: added, bad: rejected };
    const preview = { ignored_columns: report.ignored, preview: previewObjects(first) };
    return job.terminal.print(`${JSON.stringify({ ...counts, ...restOf(report), ...preview })}\n`);
  }
  for (const line of notesOf(report, job)) await job.terminal.print(`${escapeControl(line)}\n`);
  await printPreview(first, job.terminal);
  const counts = `${countOf(added, 'product')}, ${rejected} rejected`;
  return job.terminal.print(
    `${linesRead(report, job)}: ${counts}${skippedPart(report)}${emptiedPart(report, job)}. Nothing was changed.\n`,
  );
};

const restOf = ({ totals: { skipped, emptied, upToLine, firstRejected }, warnings, done }: ImportReport) => ({
  ...{ skipped: countSkipped(skipped), emptied: emptiedByColumn(emptied) },
  ...{ up_to_line: upToLine, bad_lines: firstRejected, warnings, done },
});

/** What was emptied. Where that is not allowed, `notesOf` names what would have been. */
const emptiedPart = ({ totals: { emptied } }: ImportReport, job: Job): string => {
  const text = textOfEmptied(emptied);
  return text === undefined || asksForEmptied(job) ? '' : `; ${text}`;
};

const asksForEmptied = ({ format, arguments: { allowUncounted } }: Job): boolean =>
  format === 'csv' && !allowUncounted;

const linesRead = ({ totals: { upToLine } }: ImportReport, { fromLine }: Job): string =>
  `Read ${countOf(upToLine - fromLine + 1, 'line')}`;

/** What is left out and why, and what to check, a line each. */
const notesOf = (
  { totals: { skipped, emptied }, ignored, warnings }: ImportReport,
  job: Job,
): readonly string[] => [
  ...[...skipped].map(([reason, { count, line }]) => {
    const lines = count === 1 ? `line ${line}` : `${count} lines, the first is line ${line}`;
    return `Skipped ${lines}: ${reason}.`;
  }),
  ...(ignored.length > 0 && !job.arguments.quiet
    ? [`Ignored ${countOf(ignored.length, 'column')}: ${ignored.join(', ')}.`]
    : []),
  ...warnings,
  ...(asksForEmptied(job) && textOfEmptied(emptied) !== undefined
    ? [
        `Empty cells would change what is sold (${textOfEmptied(emptied)}), so these lines were rejected. Write values, or add --allow-uncounted.`,
      ]
    : []),
];

const skippedPart = ({ totals: { skipped } }: ImportReport): string =>
  skipped.size === 0 ? '' : `, ${countSkipped(skipped)} skipped`;

const countSkipped = (skipped: Skipped): number =>
  [...skipped.values()].reduce((sum, { count }) => sum + count, 0);

const countOf = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`;
