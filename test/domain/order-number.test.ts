import { expect } from 'chai';
import fc from 'fast-check';
import { Order, type OrderId } from '#domain/order.ts';
import { orderNumberOf } from '#domain/order-number.ts';
import { aPurchase, aUser, noon } from '#test/contracts/samples.ts';

describe('An order number', () => {
  it('has twelve unambiguous characters', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(orderNumberOf(uuid as OrderId)).to.match(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
      }),
    );
  });

  it('is made of the last 60 bits of an id', () => {
    const numberOf = (id: string): string => orderNumberOf(id as OrderId);
    expect(numberOf('0195d5a0-0000-7000-8000-000000000000')).to.equal('0000-0000-0000');
    expect(numberOf('0195d5a0-0000-7000-8000-00000000002a')).to.equal('0000-0000-001A');
    expect(numberOf('0195d5a0-0000-7000-bfff-ffffffffffff')).to.equal('ZZZZ-ZZZZ-ZZZZ');
  });

  it('is given to an order by its id', () => {
    const { item } = aPurchase();
    const { id, number } = Order.place(item.orderId, aUser().id, [item], noon);
    expect(number).to.equal(orderNumberOf(id));
  });
});
