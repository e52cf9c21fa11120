import type { Instant } from '#domain/instant.ts';
import { Sales } from '#domain/sales.ts';
import { query } from '../use-case.ts';

export interface ListSales {
  /** Where the first period begins. */
  readonly from: Instant;
  /** How many periods there are. */
  readonly days: number;
  /** The name of the time zone whose days they are. Without it, each has 24 hours. */
  readonly timeZone?: string | undefined;
}

/** Reports over all orders and their money, for staff. */
export const salesUseCases = () => ({
  /**
   * Lists what was ordered, captured and given back, in ascending order of period and currency. Each period is read by itself, so that
   * a store which blocks the process blocks it for one period at a time.
   * @throws DomainError 'validation' on `from` when the last period ends too late, or an amount exceeds 2^53-1
   */
  list: query(
    // It shows no payment, refund or dispute, only sums of them. Who may read every order may read these.
    'orders:read',
    ['validation'],
    (_caller, { from, days, timeZone }: ListSales) =>
      async ({ sales }): Promise<readonly Sales[]> => {
        const rows: Sales[] = [];
        for (const period of Sales.periods(from, days, timeZone))
          rows.push(...Sales.of(period, await sales.sum(period)));
        return rows;
      },
    'staff',
  ),
});
