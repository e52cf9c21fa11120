import { expect } from 'chai';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { productOf } from '../support/test-databases.ts';
import type { Measurement } from './count.ts';
import { costsOf, measureCosts } from './measure.ts';
import { complaint, differences, readTable } from './table.ts';

/** Requires that operations cost what the table says. */
export const describeCosts = (kind: StoreKindName): void => {
  describe(`The table of costs (${productOf(kind)})`, function () {
    this.timeout(300_000);

    let measured: Readonly<Record<string, Measurement>>;
    before(async () => {
      measured = await measureCosts(kind);
    });

    it('says what each operation costs', async () => {
      const changed = differences(await readTable(kind), costsOf(measured));
      expect(changed, complaint(kind, changed)).to.deep.equal([]);
    });

    it('counts the files of each operation, from the route to the store', () => {
      const [read, order, payment] = ['a product', 'an order', 'a payment'].map(
        (name) => measured[name]?.paths ?? [],
      );
      expect(order).to.include.members(['application/use-cases/orders.ts', 'domain/order.ts']);
      expect(order).not.to.include.oneOf(['application/use-cases/payments.ts', 'domain/payment.ts']);
      expect(payment).to.include.members(['application/use-cases/payments.ts', 'domain/payment.ts']);
      expect(read).to.include('application/use-cases/products.ts');
      expect(read).not.to.include.oneOf(['application/use-cases/payments.ts', 'domain/payment.ts']);
      for (const paths of [read, order, payment])
        for (const folder of ['adapters/http/', `adapters/persistence/${kind}/`])
          expect(paths?.some((path) => path.startsWith(folder))).to.equal(true);
    });
  });
};
