import type { SalesPeriod, SalesSums } from '#domain/sales.ts';

/** Sums over orders, refunds, payments and disputes. It sees what the collections see. */
export interface SalesReader {
  /**
   * Counts the orders, refunds, payments and disputes that were created in a period, by status and currency, and sums their amounts
   * exactly, those of payments without what was released. `Sales.sumsOf` defines the same of resources.
   * What was created exactly when the period begins is in it, and what was created when it ends is not. Between two calls
   * the process does other work, and the cost of a call depends on what was created in its period alone.
   */
  sum(period: SalesPeriod): Promise<SalesSums>;
}
