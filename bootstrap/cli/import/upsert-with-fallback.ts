import { setTimeout as pause } from 'node:timers/promises';
import type { Portico } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import { startTogether } from '#application/retry-on-conflict.ts';
import type { BroughtIn, ListedProduct } from '#application/use-cases/product-import.ts';
import { DomainError } from '#domain/errors.ts';
import { systemCaller } from '../system-caller.ts';

/** How long a store that is away or too busy is given before each further try, in milliseconds. */
const retryDelaysMs = [200, 1_000, 3_000];

/** What is done with a list: `bringIn` changes what is there, and `fillUp` leaves it. */
type Mode = 'bringIn' | 'fillUp';

/**
 * Brings products in, in one unit of work; where that is refused as a whole, each in one of its own.
 * @throws ApplicationError 'unavailable' when the store stays away
 */
export const upsertWithFallback = async (
  portico: Portico,
  list: readonly ListedProduct[],
  way: Mode = 'bringIn',
): Promise<BroughtIn> => {
  try {
    return await upsertWithRetry(portico, list, way);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return upsertEach(portico, list, way);
  }
};

const upsertEach = async (
  portico: Portico,
  list: readonly ListedProduct[],
  way: Mode,
): Promise<BroughtIn> => {
  const sum = { added: 0, changed: 0, unchanged: 0, refused: new Map<string, DomainError>() };
  for (const product of list) {
    try {
      const { added, changed, unchanged, refused } = await upsertWithRetry(portico, [product], way);
      sum.added += added;
      sum.changed += changed;
      sum.unchanged += unchanged;
      for (const [sku, refusal] of refused) sum.refused.set(sku, refusal);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sum.refused.set(product.sku, error);
    }
  }
  return sum;
};

/** To bring in again what has been brought in already does no harm, so it is tried again. */
const upsertWithRetry = async (
  { useCases, unitOfWork }: Portico,
  list: readonly ListedProduct[],
  way: Mode,
): Promise<BroughtIn> => {
  for (const milliseconds of retryDelaysMs) {
    try {
      return await startTogether(unitOfWork, useCases.products[way](systemCaller, list));
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      await pause(milliseconds);
    }
  }
  return startTogether(unitOfWork, useCases.products[way](systemCaller, list));
};
