import { escapeControl } from '../framework/terminal.ts';
import type { Skipped } from './batches.ts';
import { type Previewed, previewObjects, printPreview } from './dry-run.ts';
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
  return job.terminal.print(`${linesRead(report, job)}: ${counts}${skippedPart(report)}.\n`);
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
    `${linesRead(report, job)}: ${counts}${skippedPart(report)}. Nothing was changed.\n`,
  );
};

const restOf = ({ totals: { skipped, upToLine, firstRejected }, done }: ImportReport) => ({
  ...{ skipped: countSkipped(skipped), up_to_line: upToLine, bad_lines: firstRejected, done },
});

const linesRead = ({ totals: { upToLine } }: ImportReport, { fromLine }: Job): string =>
  `Read ${countOf(upToLine - fromLine + 1, 'line')}`;

/** What is left out and why, and what to look at, a line each. */
const notesOf = (
  { totals: { skipped }, ignored, warnings }: ImportReport,
  { arguments: { quiet } }: Job,
): readonly string[] => [
  ...[...skipped].map(([reason, { count, line }]) => {
    const lines = count === 1 ? `line ${line}` : `${count} lines, the first is line ${line}`;
    return `Skipped ${lines}: ${reason}.`;
  }),
  ...(ignored.length > 0 && !quiet
    ? [`Ignored ${countOf(ignored.length, 'column')}: ${ignored.join(', ')}.`]
    : []),
  ...warnings,
];

const skippedPart = ({ totals: { skipped } }: ImportReport): string =>
  skipped.size === 0 ? '' : `, ${countSkipped(skipped)} skipped`;

const countSkipped = (skipped: Skipped): number =>
  [...skipped.values()].reduce((sum, { count }) => sum + count, 0);

const countOf = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`;
