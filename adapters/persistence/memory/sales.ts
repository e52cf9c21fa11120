import { endOfTurn } from '#adapters/support/time.ts';
import type { SalesReader } from '#application/ports/sales.ts';
import type { Resource } from '#domain/resource.ts';
import { Sales, type SalesPeriod, type SalesResources, type SalesSums } from '#domain/sales.ts';
import type { Draft } from './rows.ts';

type Drafts = { readonly [Name in keyof SalesResources]: Draft<SalesResources[Name][number]> };

export class MemorySales implements SalesReader {
  readonly #drafts: Drafts;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  async sum({ from, until }: SalesPeriod): Promise<SalesSums> {
    await endOfTurn();
    const createdIn = <R extends Resource>(draft: Draft<R>): readonly R[] =>
      [...draft.walk()].filter(({ createdAt }) => createdAt >= from && createdAt < until);
    const { orders, refunds, payments, disputes } = this.#drafts;
    return Sales.sumsOf({
      orders: createdIn(orders),
      refunds: createdIn(refunds),
      payments: createdIn(payments),
      disputes: createdIn(disputes),
    });
  }
}
