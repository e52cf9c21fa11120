import type { Portico } from '#application/application.ts';
import { refusal } from '../error-messages.ts';
import type { Batch, Fault } from './batches.ts';
import { bounded } from './error-text.ts';
import { bringInAll } from './upsert-with-fallback.ts';

/** What has become of a file so far. All of it is committed. */
export interface Imported {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly bad: number;
  /** The first thousand of what is wrong. */
  readonly faults: readonly Fault[];
  /** Everything up to this line is done. */
  readonly upToLine: number;
}

export const nothingYet = (fromLine: number): Imported => ({
  ...{ added: 0, changed: 0, unchanged: 0, bad: 0 },
  faults: [],
  upToLine: fromLine - 1,
});

const mostFaults = 1_000;

/** @param report is told each line that is wrong, when the others around it are committed */
export const importBatch = async (
  portico: Portico,
  batch: Batch,
  before: Imported,
  report: (fault: Fault) => Promise<void>,
): Promise<Imported> => {
  const products = batch.rows.map(({ product }) => product);
  const { added, changed, unchanged, refused } = await bringInAll(portico, products);
  const refusals = batch.rows.flatMap(({ line, product: { sku } }) => {
    const reason = refused.get(sku);
    return reason === undefined ? [] : [{ line, reason: bounded(refusal(reason)) }];
  });
  const faults = [...batch.faults, ...refusals].sort((one, other) => one.line - other.line);
  for (const fault of faults) await report(fault);
  return {
    added: before.added + added,
    changed: before.changed + changed,
    unchanged: before.unchanged + unchanged,
    bad: before.bad + faults.length,
    faults: [...before.faults, ...faults].slice(0, mostFaults),
    upToLine: batch.lastLine,
  };
};
