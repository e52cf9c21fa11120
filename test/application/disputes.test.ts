import { expect } from 'chai';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { disputed, paidShop } from './reconciliation/paid-shop.ts';

describe('Disputes', () => {
  const paid = ofEachTest(paidShop);
  beforeEach(async () => {
    await paid.reports([], [disputed('dp_x', 100)]);
  });

  it('are read by staff only', async () => {
    const { shop } = paid;
    const { list, get } = shop.useCases.disputes;
    const rows = await paid.disputes();
    const [first] = rows;
    if (first === undefined) throw new Error('There is no dispute.');
    const page = { filter: { paymentId: paid.payment.id }, page: { limit: 10 } };
    const read = (caller: typeof shop.staff) => shop.run(list, caller, page);
    expect((await read(shop.staff)).rows).to.deep.equal(rows);
    expect(await shop.run(get, shop.staff, first.id)).to.deep.equal(first);
    expect(await kindOf(read(shop.customer))).to.equal('forbidden');
  });
});
