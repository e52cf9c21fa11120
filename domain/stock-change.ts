import { invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Product, type ProductId } from './product.ts';
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
   * Changes the stock of a product.
   * @returns the product with its new stock, and the record of the change
   * @throws DomainError as `Product.adjustStock` does, 'validation' also for a change of 0 and a reason that is too long
   */
  apply: (
    id: StockChangeId,
    product: Product,
    { change, reason }: Pick<StockChange, 'change' | 'reason'>,
    at: Instant,
  ): { readonly product: Product; readonly change: StockChange } => {
    const violation = Quantity.changed.violation(Quantity.toNumber(change));
    if (violation !== undefined) throw invalidField('change', violation);
    const details = requireValid<Pick<StockChange, 'reason'>>(StockChange.rules, { reason });
    const after = Product.adjustStock(product, change, at);
    const stockAfter = after.stock ?? Quantity.zero;
    return {
      product: after,
      change: { ...newResource(id, at), productId: product.id, change, ...details, stockAfter },
    };
  },
};
