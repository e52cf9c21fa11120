import type { Instant } from '#domain/instant.ts';
import { Sales } from '#domain/sales.ts';
import { query } from '../use-case.ts';

export interface ListSales {
  /** Where the first period begins. */
  readonly from: Instant;
  /** How many periods of 24 hours there are. */
  readonly days: number;
}

/** Reports over all orders and refunds, for staff. */
export const salesUseCases = () => ({
  /**
   * Lists what was ordered, paid and refunded, in ascending order of period and currency. Each period is read by itself, so that
   * a store which blocks the process blocks it for one period at a time.
   * @throws DomainError 'validation' on `from` when the last period ends too late, or an amount exceeds 2^53-1
   */
  list: query(
    // It shows no refund, only sums of them. Who may read every order may read these.
    'orders:read',
    ['validation'],
    (_caller, { from, days }: ListSales) =>
      async ({ sales }): Promise<readonly Sales[]> => {
        const rows: Sales[] = [];
        for (const period of Sales.periods(from, days))
          rows.push(...Sales.of(period, await sales.sum(period)));
        return rows;
      },
    'staff',
  ),
});
