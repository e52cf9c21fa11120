import { expect } from 'chai';
import fc from 'fast-check';
import { Order, type OrderId } from '#domain/order.ts';
import { OrderNumber } from '#domain/order-number.ts';
import { aPurchase, aUser, noon } from '#test/contracts/samples.ts';

describe('The number of an order', () => {
  it('has twelve unambiguous characters', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(OrderNumber.of(uuid as OrderId)).to.match(
          /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/,
        );
      }),
    );
  });

  it('is made of the last 60 bits of its id', () => {
    const numberOf = (id: string): string => OrderNumber.of(id as OrderId);
    expect(numberOf('0195d5a0-0000-7000-8000-000000000000')).to.equal('0000-0000-0000');
    expect(numberOf('0195d5a0-0000-7000-8000-00000000002a')).to.equal('0000-0000-001A');
    expect(numberOf('0195d5a0-0000-7000-bfff-ffffffffffff')).to.equal('ZZZZ-ZZZZ-ZZZZ');
  });

  it('is given to an order by its id', () => {
    const { item } = aPurchase();
    const { id, number } = Order.place(item.orderId, aUser().id, [item], noon);
    expect(number).to.equal(OrderNumber.of(id));
  });

  it('is parsed as it is shown', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (uuid) => {
        const number = OrderNumber.of(uuid as OrderId);
        expect(OrderNumber.parse(number)).to.equal(number);
      }),
    );
  });

  for (const text of [
    '7K3M-9QXA-2DF0',
    '7k3m-9qxa-2df0',
    '7K3M9QXA2DF0',
    '7K3M 9QXA 2DFO',
    '7k-3m 9qxa2dfo',
  ]) {
    it(`is understood as ${text}`, () => {
      expect(OrderNumber.parse(text)).to.equal('7K3M-9QXA-2DF0');
    });
  }

  it('has ones for the letters that look alike', () => {
    expect(OrderNumber.parse('IIII-LLLL-illi')).to.equal('1111-1111-1111');
  });

  for (const text of [
    '',
    '7K3M-9QXA-2DF',
    '7K3M-9QXA-2DF00',
    '7K3M-9QXA-2DFU',
    ' 7K3M-9QXA-2DF0',
    '7K3M-9QXA-2DF0\n',
    '7K3M--9QXA-2DF0',
    '7K3M-9QXA-2DFé',
    '７K3M-9QXA-2DF0',
  ]) {
    it(`is not “${text}”`, () => {
      expect(OrderNumber.parse(text)).to.equal(undefined);
    });
  }
});
