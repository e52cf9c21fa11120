import { endOfTurn } from '#adapters/support/time.ts';
import type { SalesReader } from '#application/ports/sales.ts';
import type { Order } from '#domain/order.ts';
import type { Refund } from '#domain/refund.ts';
import type { Resource } from '#domain/resource.ts';
import { Sales, type SalesPeriod, type SalesSums } from '#domain/sales.ts';
import type { Draft } from './rows.ts';

export class MemorySales implements SalesReader {
  readonly #orders: Draft<Order>;
  readonly #refunds: Draft<Refund>;

  constructor(orders: Draft<Order>, refunds: Draft<Refund>) {
    this.#orders = orders;
    this.#refunds = refunds;
  }

  async sum({ from, until }: SalesPeriod): Promise<SalesSums> {
    await endOfTurn();
    const isIn = ({ createdAt }: Resource): boolean => createdAt >= from && createdAt < until;
    const orders = [...this.#orders.walk()].filter(isIn);
    return {
      orders: Sales.sum(orders.map(({ status, total }) => ({ status, amount: total }))),
      refunds: Sales.sum([...this.#refunds.walk()].filter(isIn)),
    };
  }
}
