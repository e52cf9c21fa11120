import type { ProductId } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import { StockChange, type StockChangeId } from '#domain/stock-change.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { requireFound, requireProduct } from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListStockChanges {
  readonly filter: Collections['stockChanges']['filter'];
  readonly page: PageRequest<StockChangeId>;
}

export interface ChangeStock {
  readonly productId: ProductId;
  /** What is added, or removed when it is negative. Not 0. */
  readonly change: Quantity;
  readonly reason: string | null;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Corrections of counted stocks: goods that arrive, break or are found at an inventory. Staff alone make and read them. Orders,
 * refunds, `portico import` and changes of the product record none.
 */
export const stockChangeUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'products:read',
    [],
    (_caller, { filter, page }: ListStockChanges) =>
      ({ stockChanges }) =>
        stockChanges.page(filter, page),
    'staff',
  ),

  get: query(
    'products:read',
    ['not-found'],
    (_caller, id: StockChangeId) =>
      async ({ stockChanges }) =>
        requireFound(await stockChanges.find(id)),
    'staff',
  ),

  /** @throws DomainError 'invalid-state' when the stock is not counted, 'out-of-stock' when it would fall below 0 */
  create: command(
    'products:write',
    ['product-not-found', 'invalid-state', 'out-of-stock', 'validation'],
    (_caller, { productId, ...details }: ChangeStock) =>
      async ({ products, stockChanges }) => {
        const before = requireProduct(await products.lock(productId));
        const { product, change } = StockChange.apply(newId(), before, details, clock.now());
        await products.save(product);
        await stockChanges.add(change);
        return change;
      },
  ),
});
