import type { Instant } from './instant.ts';
import type { Product, ProductId } from './product.ts';
import { Quantity } from './quantity.ts';
import { type Id, newResource, type Resource } from './resource.ts';
import { requireValid } from './rule.ts';
import { text } from './text.ts';

export type StockChangeId = Id<'stock-change'>;

/** A correction of a counted stock by staff. It is never changed or deleted, and outlives its product. */
export interface StockChange extends Resource<StockChangeId> {
  readonly productId: ProductId;
  /** What was added, or removed when it is negative. Never 0. */
  readonly change: Quantity;
  readonly reason: string | null;
  readonly stockAfter: Quantity;
}

export const StockChange = {
  rules: { reason: text(0, 200) },

  /**
   * Records the change of a product's stock.
   * @param product as it is after the change
   * @throws DomainError 'validation'
   */
  record: (
    id: StockChangeId,
    product: Product,
    details: Pick<StockChange, 'change' | 'reason'>,
    at: Instant,
  ): StockChange => ({
    ...newResource(id, at),
    ...requireValid(StockChange.rules, details),
    productId: product.id,
    stockAfter: product.stock ?? Quantity.zero,
  }),
};
