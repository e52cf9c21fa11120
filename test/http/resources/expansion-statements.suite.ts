import { expect } from 'chai';
import { MariaDbConnection } from '#adapters/persistence/mariadb/connection.ts';
import { ConnectionPool } from '#adapters/persistence/postgres/connection/pool.ts';
import type { BoundStatement, Statement } from '#adapters/persistence/sql/sql-table.ts';
import { SqliteConnection } from '#adapters/persistence/sqlite/connection.ts';
import type { Client, Json } from '../support/client.ts';
import { serviceSuite } from '../support/service.ts';
import { firstItem, newPaidOrder, newProduct, once, paymentsOf, refund } from '../support/shop.ts';

/**
 * Statements of what is expanded. Those with which a caller is authenticated are others, and pages of a status are of background jobs,
 * which list what waits at any time.
 */
const isCounted = (name: string): boolean =>
  /^(orders|order_items|payments|refunds|products|reviews)_|^users_(page|find_by|first_by)/.test(name) &&
  !/_page_.*status/.test(name);

/** Records the names of statements that reach a driver. */
const record = (): { readonly names: string[]; readonly stop: () => void } => {
  const names: string[] = [];
  const [sqlite, postgres, mariadb] = [
    SqliteConnection.prototype,
    ConnectionPool.prototype,
    MariaDbConnection.prototype,
  ];
  const [query, send, execute] = [sqlite.query, postgres.query, mariadb.execute];
  const noted = ({ name }: Statement) => isCounted(name) && names.push(name);
  sqlite.query = function (this: SqliteConnection, ...given: Parameters<typeof query>) {
    noted(given[0]);
    return Reflect.apply(query, this, given);
  } as typeof query;
  postgres.query = function (this: ConnectionPool, ...given: [BoundStatement, number]) {
    noted(given[0].statement);
    return Reflect.apply(send, this, given);
  };
  mariadb.execute = function (this: MariaDbConnection, ...given: Parameters<typeof execute>) {
    noted(given[0] as Statement);
    return Reflect.apply(execute, this, given);
  } as typeof execute;
  const stop = () => {
    sqlite.query = query;
    postgres.query = send;
    mariadb.execute = execute;
  };
  return { names, stop };
};

export const describeExpandedPages = serviceSuite('A page of expanded resources', {}, (service, kind) => {
  const sendOnce = async (path: string, limit: number): Promise<readonly string[]> => {
    const { names, stop } = record();
    const address = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    const { status, body, text }: Json = await service.operator.get(address).finally(stop);
    expect(status, text).to.equal(200);
    expect(body.data).to.have.lengthOf(limit);
    return names.map((name) => name.replace(/_page.*/, '_page')).sort();
  };

  /** Background jobs list orders and products at any time, so the fewest statements of three requests are its own. */
  const statementsOf = async (path: string, limit: number): Promise<readonly string[]> => {
    const tries = [await sendOnce(path, limit), await sendOnce(path, limit), await sendOnce(path, limit)];
    return tries.toSorted((one, other) => one.length - other.length)[0] ?? [];
  };

  it('costs one statement for each name, whatever its length', async () => {
    const buyers: Client[] = [];
    for (let count = 0; count < 3; count += 1) buyers.push(await service.person('customer'));
    const products = [await newProduct(service), await newProduct(service)];
    for (let count = 0; count < 6; count += 1) {
      // By turns, so that two neighbours refer to different resources, and each buyer reviews each product once.
      const [buyer, product] = [buyers[count % 3] ?? service.operator, products[count % 2]];
      const paid = await newPaidOrder(buyer, product);
      await buyer.post('/v1/reviews', { item_id: (await firstItem(buyer, paid)).id, rating: 4 }, once());
      const [payment] = await paymentsOf(buyer, paid);
      await refund(service.operator, payment, { amount: { amount: 1, currency: 'EUR' } });
    }
    const orders = [
      'order_items_first_by_order_id',
      'orders_page',
      'payments_first_by_order_id',
      'users_find_by_id',
    ];
    for (const limit of [2, 6]) {
      for (const [path, ...statements] of [
        ['/v1/orders?expand=items,payments,user', ...orders],
        ['/v1/orders?expand=items,user', 'order_items_first_by_order_id', 'orders_page', 'users_find_by_id'],
        ['/v1/orders?sort=-id', 'orders_page'],
        [
          '/v1/payments?expand=order,refunds',
          'orders_find_by_id',
          'payments_page',
          'refunds_first_by_payment_id',
        ],
        ['/v1/refunds?expand=payment', 'payments_find_by_id', 'refunds_page'],
        ['/v1/reviews?expand=product', 'products_find_by_id', 'reviews_page'],
      ] as const) {
        expect(await statementsOf(path, limit), path).to.deep.equal(kind === 'memory' ? [] : statements);
      }
    }
  });
});
