import { expect } from 'chai';
import fc from 'fast-check';
import { Order, OrderItem, type OrderStatus, orderStatuses } from '#domain/order.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { aProduct, aPurchase, aUser, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const ids = aPurchase().item;

const anItem = (amount = 450, quantity = 1, currency = 'EUR'): OrderItem =>
  OrderItem.of(ids.id, ids.orderId, aProduct({ price: { amount, currency } }), Quantity.of(quantity), noon);

const anOrder = (first = anItem()): Order => Order.place(ids.orderId, aUser().id, [first], noon);

/** Each status, and what it can become by being told to; it becomes paid by a payment. */
const allowed: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['canceled'],
  paid: ['fulfilled', 'refunded'],
  fulfilled: [],
  canceled: [],
  refunded: [],
};

describe('An order', () => {
  it('begins pending, with its item', () => {
    const owner = aUser().id;
    const order = Order.place(ids.orderId, owner, [anItem(450, 2)], noon);
    expect(order).to.deep.include({
      id: ids.orderId,
      version: 1,
      userId: owner,
      status: 'pending',
      total: { amount: 900, currency: 'EUR' },
      itemCount: 1,
      paying: false,
    });
  });

  describe('with several items', () => {
    const place = (items: readonly OrderItem[]): Order => Order.place(ids.orderId, aUser().id, items, noon);

    it('has the sum of their totals, and counts them', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 100 }), (amounts) => {
          expect(place(amounts.map((amount) => anItem(amount)))).to.deep.include({
            total: { amount: amounts.reduce((sum, amount) => sum + amount, 0), currency: 'EUR' },
            itemCount: amounts.length,
            version: 1,
          });
        }),
      );
    });

    it('has from 1 to 100 of them', () => {
      expect(place(Array.from({ length: 100 }, () => anItem())).itemCount).to.equal(100);
      for (const length of [0, 101]) {
        const items = Array.from({ length }, () => anItem());
        expect(domainErrorOf(() => place(items))).to.deep.equal({ kind: 'validation', fields: ['items'] });
      }
    });

    it('names each that has another currency than the first', () => {
      const [euro, yen, dollar] = [anItem(), anItem(450, 1, 'JPY'), anItem(450, 1, 'USD')];
      expect(domainErrorOf(() => place([euro, yen, euro, dollar]))).to.deep.equal({
        kind: 'validation',
        fields: ['items.1.productId', 'items.3.productId'],
      });
    });

    it('names the one with which the total would exceed the maximum', () => {
      const [one, rest] = [anItem(1), anItem(Number.MAX_SAFE_INTEGER - 1)];
      expect(place([rest, one]).total.amount).to.equal(Number.MAX_SAFE_INTEGER);
      expect(domainErrorOf(() => place([one, one, rest, one]))).to.deep.equal({
        kind: 'validation',
        fields: ['items.2.quantity'],
      });
    });

    it('adds up what is taxed by rate, through every change of its items', () => {
      const rated = (percent: number | null, amount: number): OrderItem => ({
        ...anItem(amount),
        taxRate: percent === null ? null : TaxRate.of(percent),
      });
      const order = place([rated(19, 100), rated(7, 20), rated(null, 5), rated(19, 1), rated(0, 3)]);
      expect(order.taxedItems).to.deep.equal([
        { rate: TaxRate.of(0), gross: 3 },
        { rate: TaxRate.of(7), gross: 20 },
        { rate: TaxRate.of(19), gross: 101 },
      ]);
      const added = Order.addItem(order, rated(7, 2), noon);
      const replaced = Order.replaceItem(added, rated(19, 100), rated(19, 40), noon);
      const removed = Order.removeItem(replaced, rated(0, 3), noon);
      expect(removed.taxedItems).to.deep.equal([
        { rate: TaxRate.of(7), gross: 22 },
        { rate: TaxRate.of(19), gross: 41 },
      ]);
      // A process of the previous release has doubled the item, and knows nothing of rates.
      expect(Order.removeItem(removed, rated(7, 44), noon).taxedItems).to.deep.equal([
        { rate: TaxRate.of(19), gross: 41 },
      ]);
    });
  });

  describe('transitions', () => {
    for (const from of orderStatuses) {
      for (const to of orderStatuses) {
        const order = { ...anOrder(), status: from };
        if (allowed[from].includes(to)) {
          it(`goes from ${from} to ${to}`, () => {
            expect(Order.transitionTo(order, to, later(1))).to.deep.equal({
              ...order,
              status: to,
              version: 2,
              updatedAt: later(1),
            });
          });
        } else {
          it(`does not go from ${from} to ${to}`, () => {
            expect(domainErrorOf(() => Order.transitionTo(order, to, noon)).kind).to.equal('invalid-state');
          });
        }
      }
    }
  });

  describe('whose items change', () => {
    it('has the sum of their totals after every addition, replacement and removal', () => {
      const sizes = fc.record({
        amount: fc.integer({ min: 0, max: 100_000 }),
        thousandths: fc.integer({ min: 1, max: 1_000_000 }),
      });
      const steps = fc.array(
        fc.tuple(fc.constantFrom('add', 'replace', 'remove'), sizes, fc.nat({ max: 20 })),
        { maxLength: 30 },
      );
      fc.assert(
        fc.property(steps, (taken) => {
          const items = [anItem()];
          let order = anOrder(anItem());
          for (const [step, { amount, thousandths }, anywhere] of taken) {
            const place = anywhere % items.length;
            const before = items[place] ?? anItem();
            if (step === 'add') {
              const item = anItem(amount, thousandths / 1000);
              order = Order.addItem(order, item, noon);
              items.push(item);
            } else if (step === 'replace') {
              const after = OrderItem.resize(before, Quantity.of(thousandths / 1000), false, noon);
              order = Order.replaceItem(order, before, after, noon);
              items[place] = after;
            } else if (items.length > 1) {
              order = Order.removeItem(order, before, noon);
              items.splice(place, 1);
            }
            expect(order.total.amount).to.equal(items.reduce((sum, { total }) => sum + total.amount, 0));
            expect(order.itemCount).to.equal(items.length);
          }
          expect(order.total.currency).to.equal('EUR');
        }),
      );
    });

    it('rejects an item in another currency', () => {
      expect(domainErrorOf(() => Order.addItem(anOrder(), anItem(450, 1, 'USD'), noon))).to.deep.equal({
        kind: 'validation',
        fields: ['productId'],
      });
    });

    it('has at most 200 items, and keeps more that it has had before', () => {
      const order = (itemCount: number): Order => ({ ...anOrder(anItem(1)), itemCount });
      expect(Order.addItem(order(199), anItem(1), noon).itemCount).to.equal(200);
      for (const itemCount of [200, 201, 300])
        expect(domainErrorOf(() => Order.addItem(order(itemCount), anItem(1), noon)).kind).to.equal(
          'conflict',
        );
      const item = anItem(1);
      expect(Order.replaceItem(order(300), item, item, noon).itemCount).to.equal(300);
      expect(Order.removeItem(order(300), item, noon).itemCount).to.equal(299);
    });

    it('rejects an item with which its total would exceed the maximum', () => {
      const dear = anItem(Number.MAX_SAFE_INTEGER);
      expect(domainErrorOf(() => Order.addItem(anOrder(dear), anItem(1), noon)).kind).to.equal('validation');
    });

    it('rejects a larger item with which its total would exceed the maximum', () => {
      const order = Order.addItem(anOrder(anItem(Number.MAX_SAFE_INTEGER - 1)), anItem(1), noon);
      const larger = () => Order.replaceItem(order, anItem(1), anItem(2), noon);
      expect(domainErrorOf(larger).kind).to.equal('validation');
    });

    it('rejects the removal of its last item', () => {
      expect(domainErrorOf(() => Order.removeItem(anOrder(), anItem(), noon)).kind).to.equal('invalid-state');
    });

    const changes: Readonly<Record<string, (order: Order) => Order>> = {
      'take another item': (order) => Order.addItem(order, anItem(), noon),
      'have an item replaced': (order) => Order.replaceItem(order, anItem(), anItem(1), noon),
      'have an item removed': (order) => Order.removeItem(order, anItem(), noon),
      'begin to be paid': (order) => Order.beginPayment(order, noon),
    };
    const two = Order.addItem(anOrder(), anItem(), noon);
    for (const [what, change] of Object.entries(changes)) {
      it(`can ${what} while it is pending`, () => {
        expect(change(two).version).to.equal(two.version + 1);
      });

      for (const status of orderStatuses.filter((one) => one !== 'pending')) {
        it(`cannot ${what} when it is ${status}`, () => {
          expect(domainErrorOf(() => change({ ...two, status })).kind).to.equal('invalid-state');
        });
      }

      it(`cannot ${what} while a payment is pending`, () => {
        const paying = Order.beginPayment(two, noon);
        expect(domainErrorOf(() => change(paying)).kind).to.equal('invalid-state');
      });
    }
  });

  describe('with a pending payment', () => {
    const paying = Order.beginPayment(anOrder(), later(1));

    it('is still pending', () => {
      expect(paying).to.include({ status: 'pending', paying: true, version: 2, updatedAt: later(1) });
    });

    for (const status of orderStatuses) {
      it(`cannot become ${status}`, () => {
        expect(domainErrorOf(() => Order.transitionTo(paying, status, noon)).kind).to.equal('invalid-state');
      });
    }

    it('is paid once the payment is complete', () => {
      expect(Order.completePayment(paying, later(2))).to.include({
        status: 'paid',
        paying: false,
        version: 3,
        paidAt: later(2),
      });
      const refunded = Order.transitionTo(Order.completePayment(paying, later(2)), 'refunded', later(3));
      expect([paying.paidAt, refunded.paidAt]).to.deep.equal([null, later(2)]);
    });

    it('rejects the end of a payment without a pending one', () => {
      for (const end of [Order.completePayment, Order.abandonPayment]) {
        expect(domainErrorOf(() => end(anOrder(), noon)).kind).to.equal('invalid-state');
      }
    });

    it('can be paid again after the payment failed', () => {
      const abandoned = Order.abandonPayment(paying, later(2));
      expect(abandoned).to.include({ status: 'pending', paying: false, version: 3 });
      expect(Order.beginPayment(abandoned, later(3)).paying).to.equal(true);
    });
  });
});
