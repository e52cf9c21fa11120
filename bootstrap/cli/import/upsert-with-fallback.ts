import { sleep } from '#adapters/support/time.ts';
import type { Application } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import { retryOnceOnConflict } from '#application/ports/unit-of-work.ts';
import type { ImportedProduct, ImportResult } from '#application/use-cases/product-import.ts';
import { type EmptiedCounts, sumOfEmptied } from '#domain/emptied-fields.ts';
import { DomainError } from '#domain/errors.ts';
import { systemCaller } from '../system-caller.ts';

/** Delays before each retry while the database is unavailable or overloaded. */
const retryDelaysMs = [200, 1_000, 3_000];

type ProductUseCases = Application['useCases']['products'];

/** An idempotent bulk use case: repeating it after an unknown outcome does no harm. */
type BulkUseCase = ProductUseCases['upsert'] | ProductUseCases['insertMissing'];

/**
 * Runs a bulk use case on all products in one unit of work. If a rule rejects the unit as a whole, each product gets its own.
 * @throws ApplicationError 'unavailable' when the database stays unavailable after all retries
 */
export const upsertWithFallback = async (
  { unitOfWork }: Application,
  products: readonly ImportedProduct[],
  useCase: BulkUseCase,
): Promise<ImportResult> => {
  const upsert = (list: readonly ImportedProduct[]): Promise<ImportResult> =>
    retryWhileUnavailable(() => retryOnceOnConflict(unitOfWork, useCase(systemCaller, list)));
  try {
    return await upsert(products);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return upsertEach(products, upsert);
  }
};

const upsertEach = async (
  products: readonly ImportedProduct[],
  upsert: (list: readonly ImportedProduct[]) => Promise<ImportResult>,
): Promise<ImportResult> => {
  const sum = { added: 0, updated: 0, unchanged: 0, rejected: new Map<string, DomainError>() };
  let emptied: EmptiedCounts = {};
  for (const product of products) {
    try {
      const { added, updated, unchanged, rejected, emptied: more } = await upsert([product]);
      sum.added += added;
      sum.updated += updated;
      sum.unchanged += unchanged;
      emptied = sumOfEmptied(emptied, more);
      for (const [sku, error] of rejected) sum.rejected.set(sku, error);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sum.rejected.set(product.sku, error);
    }
  }
  return { ...sum, emptied };
};

/** @throws ApplicationError 'unavailable' when the database stays unavailable after all retries */
export const retryWhileUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  for (const retryDelayMs of retryDelaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      await sleep(retryDelayMs);
    }
  }
  return work();
};
