import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import { retryOnceOnConflict } from '#application/retry-on-conflict.ts';
import type { ImportedProduct, ImportResult } from '#application/use-cases/product-import.ts';
import { DomainError } from '#domain/errors.ts';
import { systemCaller } from '../system-caller.ts';

/** How long a store that is away or too busy is given before each further try, in milliseconds. */
const retryDelaysMs = [200, 1_000, 3_000];

/** `upsert` updates existing products, `insertMissing` leaves them unchanged. */
type Mode = 'upsert' | 'insertMissing';

/**
 * Brings products in, in one unit of work; where that is refused as a whole, each in one of its own.
 * @throws ApplicationError 'unavailable' when the store stays away
 */
export const upsertWithFallback = async (
  portico: Application,
  list: readonly ImportedProduct[],
  way: Mode = 'upsert',
): Promise<ImportResult> => {
  try {
    return await upsertWithRetry(portico, list, way);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return upsertEach(portico, list, way);
  }
};

const upsertEach = async (
  portico: Application,
  list: readonly ImportedProduct[],
  way: Mode,
): Promise<ImportResult> => {
  const sum = { added: 0, updated: 0, unchanged: 0, rejected: new Map<string, DomainError>() };
  for (const product of list) {
    try {
      const { added, updated, unchanged, rejected } = await upsertWithRetry(portico, [product], way);
      sum.added += added;
      sum.updated += updated;
      sum.unchanged += unchanged;
      for (const [sku, error] of rejected) sum.rejected.set(sku, error);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sum.rejected.set(product.sku, error);
    }
  }
  return sum;
};

/** To bring in again what has been brought in already does no harm, so it is tried again. */
const upsertWithRetry = async (
  { useCases, unitOfWork }: Application,
  list: readonly ImportedProduct[],
  way: Mode,
): Promise<ImportResult> => {
  for (const milliseconds of retryDelaysMs) {
    try {
      return await retryOnceOnConflict(unitOfWork, useCases.products[way](systemCaller, list));
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      await pause(milliseconds);
    }
  }
  return retryOnceOnConflict(unitOfWork, useCases.products[way](systemCaller, list));
};
