import { expect } from 'chai';
import { judge } from './all.ts';
import type { Evidence } from './evidence.ts';
import { expectOnly, one, type Seen } from './expectations.ts';
import { type Draft, goodWorld } from './world.ts';

type World = Draft<Evidence>;

const named = (world: World, key: string) =>
  one(world.clientOutcomes.filter((outcome) => outcome.key === key));

/** The paid order is canceled, gives its stock back, and its payment had a dispute. */
const loseOrder = ({ rows, ledger }: World, status: 'lost' | 'won'): void => {
  Object.assign(one(rows.orders), { status: 'canceled' });
  Object.assign(one(rows.products), { stock: 8_000 });
  const disputed = status === 'lost' ? 900 : 0;
  Object.assign(one(rows.payments), { disputed });
  rows.disputes.push({ id: 'dispute-1', paymentId: 'payment-1', status, amount: 900, reference: 'dp_1' });
  ledger.disputes.push({ reference: 'dp_1', charge: 'pi_1', amount: 900, status });
};

/** What happened, and how it is seen: a kind, and a word of the detail by which it is found. */
const wrongs: [title: string, change: (world: World) => void, ...seen: Seen[]][] = [
  [
    'a payment that was charged twice',
    ({ ledger }) => ledger.charges.push({ ...one(ledger.charges), reference: 'pi_9' }),
    ['duplicateCharges', 'payment-1'],
    ['chargesWithoutRow', 'pi_9'],
  ],
  [
    'a charge that was confirmed twice',
    ({ ledger }) => ledger.charges.push(one(ledger.charges)),
    ['duplicateCharges', 'payment-1'],
  ],
  [
    'an order that was charged by two payments',
    ({ ledger }) =>
      ledger.charges.push({ ...one(ledger.charges, 1), reference: 'pi_2', paymentId: 'payment-2' }),
    ['duplicateCharges', 'order-3'],
    ['chargesWithoutRow', 'payment-2'],
  ],
  [
    'a charge that is unknown here',
    ({ ledger }) =>
      ledger.charges.push({ ...one(ledger.charges), reference: 'pi_9', paymentId: 'payment-9' }),
    ['chargesWithoutRow', 'payment-9'],
  ],
  [
    'a charge that says nothing of a payment',
    ({ ledger }) => ledger.charges.push({ ...one(ledger.charges), reference: 'pi_9', paymentId: null }),
    ['chargesWithoutRow', 'pi_9'],
  ],
  [
    'a charge of another amount',
    ({ ledger }) => Object.assign(one(ledger.charges), { amount: 901 }),
    ['chargesWithoutRow', '901'],
  ],
  [
    'a charge in another currency',
    ({ ledger }) => Object.assign(one(ledger.charges), { currency: 'USD' }),
    ['chargesWithoutRow', 'USD'],
  ],
  [
    'a payment that went through without a charge',
    ({ ledger }) => ledger.charges.shift(),
    ['rowsWithoutCharge', 'payment-1'],
  ],
  [
    'a refund that was given twice',
    ({ ledger }) => ledger.refunds.push({ ...one(ledger.refunds), reference: 're_9' }),
    ['duplicateRefunds', 'refund-1'],
    ['refundsWithoutRow', 're_9'],
  ],
  [
    'a refund that is unknown here',
    ({ ledger }) => ledger.refunds.push({ ...one(ledger.refunds), reference: 're_9', refundId: 'refund-9' }),
    ['refundsWithoutRow', 'refund-9'],
  ],
  [
    'a refund from another charge',
    ({ ledger }) => Object.assign(one(ledger.refunds), { charge: 'pi_1' }),
    ['refundsWithoutRow', 'pi_1'],
  ],
  [
    'a refund that went through without the provider',
    ({ ledger }) => ledger.refunds.pop(),
    ['rowsWithoutCharge', 'refund-1'],
  ],
  [
    'a charge that was refunded with more than it took',
    ({ ledger }) =>
      ledger.refunds.push({ ...one(ledger.refunds), reference: 're_9', refundId: 'refund-9', amount: 1_001 }),
    ['refundsWithoutRow', 'refund-9'],
    ['money', 'pi_3'],
  ],
  [
    'an offline payment that was charged, too',
    ({ ledger }) =>
      ledger.charges.push({ ...one(ledger.charges), reference: 'pi_4', paymentId: 'payment-4', amount: 450 }),
    ['chargesWithoutRow', 'payment-4'],
  ],
  [
    'an offline refund that the provider gave, too',
    ({ ledger }) =>
      ledger.refunds.push({ ...one(ledger.refunds), reference: 're_2', refundId: 'refund-2', amount: 50 }),
    ['refundsWithoutRow', 'refund-2'],
  ],
  [
    'a stock change that was made twice',
    ({ rows, stockBefore }) => {
      rows.stockChanges.push({ ...one(rows.stockChanges), id: 'change-9' });
      stockBefore.set('tea', 11_000);
    },
    ['rowsMadeTwice', 'change-9'],
  ],
  [
    'a stock change that changed nothing',
    ({ rows }) => Object.assign(one(rows.products), { stock: 6_500 }),
    ['stock', 'tea'],
  ],
  [
    'a response about a stock change that is not there',
    ({ rows, stockBefore }) => {
      rows.stockChanges.pop();
      stockBefore.set('tea', 10_000);
    },
    ['untrueResponses', 'stock-key'],
  ],
  [
    'an order that was made twice',
    ({ rows }) => {
      rows.orders.push({ ...one(rows.orders, 1), id: 'order-9' });
      rows.items.push({ ...one(rows.items, 1), id: 'item-9', orderId: 'order-9' });
    },
    ['rowsMadeTwice', 'order-9'],
  ],
  [
    'an item that was added twice',
    ({ rows }) => {
      rows.items.push({ ...one(rows.items, 3), id: 'item-9', orderId: 'order-2' });
      Object.assign(one(rows.orders, 1), { itemCount: 2, total: 1_350 });
    },
    ['rowsMadeTwice', 'item-9'],
  ],
  [
    'an order that lacks one of the items that it was placed with',
    ({ rows }) => {
      rows.items.pop();
      Object.assign(one(rows.items, 4), { quantity: 1_000, total: 450 });
      Object.assign(one(rows.orders, 3), { itemCount: 1 });
    },
    ['rowsMadeTwice', 'order-4 was placed with 2 items'],
  ],
  [
    'a product that was made twice',
    ({ rows }) => rows.products.push({ id: 'product-9', stock: 1_000 }),
    ['rowsMadeTwice', 'product-9'],
  ],
  [
    'a payment that was begun twice',
    ({ rows }) => rows.payments.push({ ...one(rows.payments, 1), id: 'payment-9' }),
    ['rowsMadeTwice', 'payment-9'],
  ],
  [
    'a payment of two keys',
    ({ rows }) => Object.assign(one(rows.keys, 5), { subject: 'payment-1' }),
    ['rowsMadeTwice', 'payment-1'],
    ['untrueResponses', 'rejected-key'],
  ],
  [
    'a response about a payment that does not exist',
    (world) => Object.assign(named(world, 'payment-key-1').response?.subject ?? {}, { id: 'payment-9' }),
    ['untrueResponses', 'payment-key-1'],
  ],
  [
    'a response that has another reference than the payment',
    (world) => Object.assign(named(world, 'payment-key-1').response?.subject ?? {}, { reference: 'pi_9' }),
    ['untrueResponses', 'pi_1'],
  ],
  [
    'a response that has another amount than the refund',
    (world) => Object.assign(named(world, 'refund-key').response?.subject ?? {}, { amount: 1 }),
    ['untrueResponses', 'refund-key'],
  ],
  [
    'a response that reports a successful payment as declined',
    (world) =>
      Object.assign(named(world, 'payment-key-3').response ?? {}, { status: 422, code: 'PAYMENT_DECLINED' }),
    ['untrueResponses', 'payment-key-3'],
  ],
  [
    'a response that has another price than the item',
    (world) => Object.assign(named(world, 'item-key').response?.subject ?? {}, { amount: 449 }),
    ['untrueResponses', 'item-key'],
  ],
  [
    'a response about an order that is not there',
    ({ rows, clientOutcomes }) => {
      clientOutcomes.push({ ...one(clientOutcomes), key: 'order-key-9' });
      Object.assign(one(clientOutcomes, -1 + clientOutcomes.length), {
        response: { status: 201, subject: { id: 'order-9' } },
      });
      rows.keys.push({ ...one(rows.keys), key: 'order-key-9' });
    },
    ['untrueResponses', 'order-key-9'],
  ],
  [
    'a response that says canceled of an order that is not',
    ({ clientOutcomes }) => Object.assign(one(clientOutcomes, 4).response?.subject ?? {}, { id: 'order-1' }),
    ['untrueResponses', 'cancel-key'],
  ],
  ['a response whose key is gone', ({ rows }) => rows.keys.shift(), ['untrueResponses', 'order-key-1']],
  [
    'a response that its key does not have',
    ({ rows }) => Object.assign(one(rows.keys), { hasResponse: false }),
    ['untrueResponses', 'order-key-1'],
  ],
  [
    'a key that never had a final answer',
    ({ clientOutcomes }) => Object.assign(one(clientOutcomes, 8), { response: undefined }),
    ['stuckKeys', 'rejected-key'],
  ],
  [
    'an unsettled payment',
    ({ rows, ledger, clientOutcomes }) => {
      Object.assign(one(rows.payments), { status: 'pending', reference: null });
      Object.assign(one(rows.orders), { status: 'pending', paying: true });
      Object.assign(one(rows.keys, 6), { unsettled: true });
      ledger.charges.shift();
      clientOutcomes.splice(5, 1);
    },
    ['stranded', 'payment-1'],
    ['stranded', 'order-1'],
    ['stranded', 'payment-key-1'],
  ],
  [
    'an unsettled refund',
    ({ rows, ledger, clientOutcomes }) => {
      Object.assign(one(rows.refunds), { status: 'pending', reference: null });
      Object.assign(one(rows.payments, 2), { status: 'succeeded', refunded: 0, refunding: 350 });
      ledger.refunds.pop();
      clientOutcomes.splice(9, 1);
    },
    ['stranded', 'refund-1'],
  ],
  [
    'stock that was sold twice',
    ({ rows }) => Object.assign(one(rows.products), { stock: 8_000 }),
    ['stock', 'tea'],
  ],
  [
    'stock below nothing',
    ({ rows, stockBefore }) => {
      Object.assign(one(rows.products), { stock: -1_000 });
      stockBefore.set('tea', 3_000);
    },
    ['stock', 'tea'],
  ],
  [
    'a canceled order that gave nothing back',
    ({ rows }) => Object.assign(one(rows.products), { stock: 4_000 }),
    ['stock', 'tea'],
  ],
  [
    'a paid order that was canceled although its money was not lost',
    (world) => loseOrder(world, 'won'),
    ['money', 'order-1'],
  ],
  [
    'an order that is not the sum of its items',
    ({ rows }) => Object.assign(one(rows.orders, 1), { total: 899 }),
    ['money', 'order-2'],
  ],
  [
    'an order that has lost count of its items',
    ({ rows }) => Object.assign(one(rows.orders, 1), { itemCount: 2 }),
    ['money', 'order-2'],
  ],
  [
    'an item that is not what its quantity costs',
    ({ rows }) => Object.assign(one(rows.items), { quantity: 2_002, counted: false }),
    ['money', 'item-1'],
    ['stock', 'tea'],
  ],
  [
    'an item with a price that cost nothing',
    ({ rows }) => Object.assign(one(rows.items, 5), { quantity: 1, total: 0 }),
    ['money', 'item-6'],
  ],
  [
    'a payment of another amount than its order',
    ({ rows }) => Object.assign(one(rows.payments, 1), { amount: 1 }),
    ['money', 'payment-2'],
  ],
  [
    'an order that is paid and has no payment',
    ({ rows }) => {
      Object.assign(one(rows.orders, 1), { status: 'paid' });
      Object.assign(one(rows.products), { stock: 4_000 });
    },
    ['money', 'order-2'],
    ['untrueResponses', 'cancel-key'],
  ],
  [
    'a payment that has refunded more than its refunds',
    ({ rows }) => Object.assign(one(rows.payments, 2), { refunded: 351 }),
    ['money', 'payment-3'],
  ],
  [
    'a payment that is being refunded by nothing',
    ({ rows }) => Object.assign(one(rows.payments, 2), { refunding: 1 }),
    ['money', 'payment-3'],
  ],
  [
    'a payment that is refunded in full and does not say so',
    ({ rows, ledger, clientOutcomes }) => {
      Object.assign(one(rows.refunds), { amount: 1_350 });
      Object.assign(one(rows.payments, 2), { refunded: 1_350 });
      Object.assign(one(ledger.refunds), { amount: 1_350 });
      Object.assign(one(clientOutcomes, 9).response?.subject ?? {}, { amount: 1_350 });
    },
    ['money', 'payment-3'],
  ],
];

/** Two clients who refund the third payment once more, and what they have seen of it. */
const refundTwiceMore = (world: World, seen: readonly [number, number]): void => {
  const { rows, ledger, clientOutcomes } = world;
  for (const [place, sum] of seen.entries()) {
    const id = `refund-${place + 8}`;
    const reference = `re_${place + 8}`;
    const refund = { ...one(rows.refunds), id, reference, amount: 100 };
    const outcome = structuredClone(named(world, 'refund-key'));
    Object.assign(outcome.response?.subject ?? {}, { id, reference, amount: 100 });
    rows.refunds.push(refund);
    rows.keys.push({ ...one(rows.keys, 9), key: id, subject: id });
    ledger.refunds.push({ ...one(ledger.refunds), reference, refundId: id, amount: 100 });
    clientOutcomes.push({ ...outcome, key: id, subjectId: 'payment-3', asked: { amount: 100, seen: sum } });
  }
  Object.assign(one(rows.payments, 2), { refunded: 550 });
};

/** A client whose refund of the third payment is rejected because of what it has seen. */
const rejectSeen = (world: World, paymentId: string, seen: number): void => {
  const response = { status: 409, code: 'CONFLICT', digest: '', subject: null };
  const outcome = { ...named(world, 'refund-key'), key: 'seen-key', subjectId: paymentId, response };
  world.clientOutcomes.push({ ...outcome, asked: { amount: 100, seen } });
  world.rows.keys.push({ ...one(world.rows.keys), key: 'seen-key' });
};

describe('The chaos judge of refunds that say what they have seen', () => {
  it('finds nothing where each has seen the one before, or is rejected because of another', () => {
    const world = goodWorld();
    refundTwiceMore(world, [350, 450]);
    rejectSeen(world, 'payment-3', 0);
    expect(judge(world)).to.deep.equal([]);
  });

  it('sees two that have seen the same', () => {
    const world = goodWorld();
    refundTwiceMore(world, [350, 350]);
    expectOnly(judge(world), [['duplicateRefunds', 'refund-8 and refund-9']]);
  });

  it('sees a rejection of what nothing has changed', () => {
    const world = goodWorld();
    rejectSeen(world, 'payment-1', 0);
    expectOnly(judge(world), [['untrueResponses', 'seen-key']]);
  });
});

describe('The chaos judge', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(goodWorld())).to.deep.equal([]);
  });

  it('accepts that a paid order was canceled whose money was lost in a dispute', () => {
    const world = goodWorld();
    loseOrder(world, 'lost');
    expect(judge(world)).to.deep.equal([]);
  });

  for (const [title, change, ...seen] of wrongs) {
    it(`sees ${title}, and nothing else`, () => {
      const world = goodWorld();
      change(world);
      expectOnly(judge(world), seen);
    });
  }
});
