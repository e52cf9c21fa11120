import type { Application } from '#application/application.ts';
import { domainErrorMessage, truncateReason } from '../error-messages.ts';
import type { Batch, RejectedLine } from './batches.ts';
import { upsertWithFallback } from './upsert-with-fallback.ts';

/** What has become of a file so far. All of it is committed. */
export interface ImportTotals {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** The first thousand of what is wrong. */
  readonly firstRejected: readonly RejectedLine[];
  /** Everything up to this line is done. */
  readonly upToLine: number;
}

export const emptyTotals = (fromLine: number): ImportTotals => ({
  ...{ added: 0, updated: 0, unchanged: 0, rejected: 0 },
  firstRejected: [],
  upToLine: fromLine - 1,
});

const maxReportedLines = 1_000;

/** @param report is told each line that is wrong, when the others around it are committed */
export const importBatch = async (
  portico: Application,
  batch: Batch,
  before: ImportTotals,
  report: (fault: RejectedLine) => Promise<void>,
): Promise<ImportTotals> => {
  const products = batch.rows.map(({ product }) => product);
  const { added, updated, unchanged, rejected } = await upsertWithFallback(portico, products);
  const refusals = batch.rows.flatMap(({ line, product: { sku } }) => {
    const reason = rejected.get(sku);
    return reason === undefined ? [] : [{ line, reason: truncateReason(domainErrorMessage(reason)) }];
  });
  const faults = [...batch.rejected, ...refusals].sort((one, other) => one.line - other.line);
  for (const fault of faults) await report(fault);
  return {
    added: before.added + added,
    updated: before.updated + updated,
    unchanged: before.unchanged + unchanged,
    rejected: before.rejected + faults.length,
    firstRejected: [...before.firstRejected, ...faults].slice(0, maxReportedLines),
    upToLine: batch.lastLine,
  };
};
