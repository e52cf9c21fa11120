import { expect } from 'chai';
import { judge } from './all.ts';
import type { Evidence } from './evidence.ts';
import { expectOnly, one, type Seen } from './expectations.ts';
import { liveWorld } from './live-world.ts';
import { type Draft, outcome, parsed } from './world.ts';

type World = Draft<Evidence>;

const byId = <T extends { readonly id: string }>(rows: readonly T[], id: string): T =>
  one(rows.filter((row) => row.id === id));

/** In place of the capture of staff. */
const captureInDashboard = ({ rows, ledger, clientOutcomes }: World): void => {
  Object.assign(one(ledger.captures), { captureId: null });
  rows.keys = rows.keys.filter(({ key }) => key !== 'capture-key');
  clientOutcomes.splice(
    clientOutcomes.findIndex(({ key }) => key === 'capture-key'),
    1,
  );
};

/** What happened, and how it is seen: a kind, and a word of the detail by which it is found. */
const wrongs: [title: string, change: (world: World) => void, ...seen: Seen[]][] = [
  [
    'a payment that was captured twice',
    ({ rows }) => {
      rows.captures.push({ ...one(rows.captures), id: 'capture-9' });
      rows.keys.push({ ...one(rows.keys), key: 'capture-key-9', process: 'capture', subject: 'capture-9' });
    },
    ['captures', 'capture-9'],
  ],
  [
    'a capture of another amount',
    ({ ledger }) => {
      Object.assign(one(ledger.captures), { amount: 2_000 });
      Object.assign(one(ledger.charges, 2), { amount: 2_000 });
    },
    ['captures', 'took 2000'],
    ['chargesWithoutRow', 'pi_5'],
  ],
  [
    'a charge that was captured twice at the provider',
    ({ ledger }) => ledger.captures.push({ ...one(ledger.captures), captureId: 'capture-9' }),
    ['captures', 'pi_5 was captured 2 times'],
  ],
  [
    'money that was taken at once, although it was to wait for a capture',
    ({ rows, ledger, clientOutcomes }) => {
      ledger.captures.pop();
      rows.captures.pop();
      rows.keys = rows.keys.filter(({ key }) => key !== 'capture-key');
      clientOutcomes.splice(
        clientOutcomes.findIndex(({ key }) => key === 'capture-key'),
        1,
      );
    },
    ['captures', 'pi_5 was taken at once'],
  ],
  [
    'a capture that is unknown here',
    ({ ledger }) => Object.assign(one(ledger.captures), { captureId: 'capture-9' }),
    ['captures', 'no capture capture-9'],
  ],
  [
    'a partial payment without a capture',
    ({ rows }) => Object.assign(byId(rows.payments, 'payment-1'), { amount: 1_000, released: 100 }),
    ['captures', 'payment-1'],
    ['money', 'payment-1'],
    ['untrueResponses', 'payment-key-1'],
  ],
  [
    'a capture in the dashboard that is unknown here',
    (world) => {
      captureInDashboard(world);
      world.rows.captures.pop();
    },
    ['captures', 'no capture null'],
  ],
  [
    'a capture in the dashboard that was recorded twice',
    (world) => {
      captureInDashboard(world);
      world.rows.captures.push({ ...one(world.rows.captures), id: 'capture-9' });
    },
    ['captures', 'capture-9'],
  ],
  [
    'a capture in the dashboard of another amount',
    (world) => {
      captureInDashboard(world);
      Object.assign(one(world.rows.captures), { amount: 1_400 });
    },
    ['captures', 'took 1500'],
  ],
  [
    'a capture in the dashboard that a request has begun',
    (world) => {
      captureInDashboard(world);
      const key = one(world.rows.keys.filter((row) => row.key === 'late-key'));
      world.rows.keys.push({ ...key, key: 'capture-key-9', process: 'capture', subject: 'capture-5' });
    },
    ['rowsMadeTwice', 'capture-5'],
  ],
  [
    'a capture of a payment that was charged by another reference',
    ({ rows }) => Object.assign(one(rows.captures), { reference: 'pi_9' }),
    ['captures', 'pi_5 took'],
  ],
  [
    'a capture that was rejected for no reason',
    ({ rows, clientOutcomes }) => {
      rows.keys.push({ ...one(rows.keys), key: 'rejected-capture' });
      const response = parsed(409, null, 'INVALID_STATE');
      clientOutcomes.push({ ...outcome('capture', 'rejected-capture', response), subjectId: 'payment-1' });
    },
    ['untrueResponses', 'rejected-capture'],
  ],
  [
    'a capture that was declined for no reason',
    ({ rows, ledger, clientOutcomes }) => {
      Object.assign(one(rows.captures), { status: 'failed' });
      Object.assign(byId(rows.payments, 'payment-5'), { isManual: false, released: 0 });
      Object.assign(one(ledger.charges, 2), { amount: 2_000 });
      ledger.captures.pop();
      const declined = one(clientOutcomes.filter(({ key }) => key === 'capture-key'));
      declined.response = parsed(422, null, 'PAYMENT_DECLINED');
    },
    ['untrueResponses', 'capture-key'],
  ],
  [
    'a payment that is pending, although a merchant has canceled its charge',
    (world) => {
      Object.assign(byId(world.rows.payments, 'payment-6'), { status: 'pending', reference: null });
      world.ledger.canceled.push({ ...one(world.ledger.open), inDashboard: true });
      world.ledger.open.pop();
      world.clientOutcomes = world.clientOutcomes.filter(({ key }) => key !== 'payment-key-6');
    },
    ['stranded', 'payment-6'],
  ],
  [
    'a cancellation that was rejected for no reason',
    ({ rows, ledger, clientOutcomes }) => {
      ledger.canceled.push({ reference: 'pi_7', paymentId: 'payment-7', inDashboard: false });
      rows.keys.push({ ...one(rows.keys), key: 'rejected-cancellation' });
      const response = parsed(409, null, 'INVALID_STATE');
      const rejected = outcome('cancellation', 'rejected-cancellation', response);
      clientOutcomes.push({ ...rejected, subjectId: 'payment-7' });
    },
    ['untrueResponses', 'rejected-cancellation'],
  ],
  [
    'a declined charge that its payer could still confirm',
    ({ rows, ledger }) => {
      Object.assign(byId(rows.payments, 'payment-6'), { status: 'failed' });
      Object.assign(byId(rows.orders, 'order-6'), { paying: false });
      Object.assign(one(ledger.open), { status: 'unconfirmed' });
    },
    ['waiting', 'pi_6'],
  ],
  [
    'a refund that has failed, and that the provider does not know',
    ({ ledger }) => ledger.refunds.pop(),
    ['rowsWithoutCharge', 'refund-6'],
  ],
  [
    'two refunds with the money of one',
    ({ rows }) => {
      const same = { ...byId(rows.refunds, 'refund-1'), id: 'refund-9' };
      rows.refunds.push(same);
      rows.keys.push({ ...one(rows.keys), key: 'refund-key-9', process: 'refund', subject: 'refund-9' });
      Object.assign(byId(rows.payments, 'payment-3'), { refunded: 700 });
    },
    ['refundsWithoutRow', 're_1'],
  ],
  [
    'a refund that was told as succeeded, and still waits',
    ({ rows, ledger }) => {
      Object.assign(byId(rows.refunds, 'refund-1'), { status: 'pending' });
      const before = { refunded: 0, refunding: 350, status: 'succeeded' };
      Object.assign(byId(rows.payments, 'payment-3'), before);
      Object.assign(one(ledger.refunds), { status: 'pending' });
    },
    ['untrueResponses', 'refund-key'],
  ],
  [
    'an order that was refunded although less than all has ever gone back',
    ({ rows }) => Object.assign(byId(rows.orders, 'order-5'), { status: 'refunded' }),
    ['money', 'order-5'],
  ],
  [
    'a payment that was rejected for no reason',
    ({ rows, clientOutcomes }) => {
      rows.keys.push({ ...one(rows.keys), key: 'rejected-payment' });
      rows.orders.push({ ...byId(rows.orders, 'order-6'), id: 'order-9', paying: false });
      rows.items.push({ ...byId(rows.items, 'item-8'), id: 'item-9', orderId: 'order-9' });
      rows.keys.push({ ...one(rows.keys), key: 'order-key-9' });
      const response = parsed(409, null, 'INVALID_STATE');
      clientOutcomes.push(
        outcome('order', 'order-key-9', parsed(201, { id: 'order-9', amount: 2_000, itemCount: 1 })),
        { ...outcome('payment', 'rejected-payment', response), subjectId: 'order-9' },
      );
    },
    ['untrueResponses', 'rejected-payment'],
  ],
  [
    'an order that was not fulfilled for no reason',
    ({ rows, clientOutcomes }) => {
      rows.keys.push({ ...one(rows.keys), key: 'rejected-change' });
      const rejected = outcome('change', 'rejected-change', parsed(409, null, 'INVALID_STATE'));
      clientOutcomes.push({ ...rejected, subjectId: 'order-1', asked: { status: 'fulfilled' } });
    },
    ['untrueResponses', 'rejected-change'],
  ],
  [
    'an order that could not be canceled for no reason',
    ({ rows, clientOutcomes }) => {
      rows.keys.push({ ...one(rows.keys), key: 'rejected-change' });
      const rejected = outcome('change', 'rejected-change', parsed(409, null, 'INVALID_STATE'));
      clientOutcomes.push({ ...rejected, subjectId: 'order-2', asked: { status: 'canceled' } });
    },
    ['untrueResponses', 'rejected-change'],
  ],
  ...(['INVALID_STATE', 'AMOUNT_EXCEEDED', 'PAYMENT_DECLINED'] as const).map(
    (code): (typeof wrongs)[number] => [
      `a refund of little that was rejected with ${code} beside another of little`,
      ({ rows, clientOutcomes }) => {
        rows.keys.push({ ...one(rows.keys), key: 'rejected-refund' });
        const rejected = outcome('refund', 'rejected-refund', parsed(409, null, code));
        clientOutcomes.push({ ...rejected, subjectId: 'payment-3', asked: { amount: 1_000 } });
      },
      ['untrueResponses', 'rejected-refund'],
    ],
  ),
  [
    'a refund at the provider that is unknown here',
    ({ rows }) => {
      rows.refunds.splice(rows.refunds.indexOf(byId(rows.refunds, 'refund-5')), 1);
      Object.assign(byId(rows.payments, 'payment-5'), { refunded: 0, status: 'succeeded' });
    },
    ['refundsWithoutRow', 're_5'],
  ],
  [
    'a refund at the provider that was recorded twice',
    ({ rows }) => {
      rows.refunds.push({ ...byId(rows.refunds, 'refund-5'), id: 'refund-9' });
      Object.assign(byId(rows.payments, 'payment-5'), { refunded: 600 });
    },
    ['refundsWithoutRow', 'refund-9'],
  ],
  [
    'a refund that has failed late and still counts',
    ({ rows }) => {
      Object.assign(byId(rows.refunds, 'refund-6'), { status: 'succeeded' });
      Object.assign(byId(rows.payments, 'payment-5'), { refunded: 400 });
    },
    ['refundsWithoutRow', 're_6'],
  ],
  [
    'a dispute that is unknown here',
    ({ rows }) => {
      rows.disputes.pop();
      Object.assign(byId(rows.payments, 'payment-5'), { disputed: 0 });
    },
    ['disputes', 'du_5'],
  ],
  [
    'a dispute that has ended',
    ({ ledger }) => Object.assign(one(ledger.disputes), { status: 'won' }),
    ['disputes', 'du_5'],
  ],
  ['a dispute that the provider does not have', ({ ledger }) => ledger.disputes.pop(), ['disputes', 'du_5']],
  [
    'a payment that does not say what is disputed',
    ({ rows }) => Object.assign(byId(rows.payments, 'payment-5'), { disputed: 100 }),
    ['disputes', 'payment-5'],
  ],
  [
    'a payment that an event was believed of',
    ({ rows }) => {
      Object.assign(byId(rows.payments, 'payment-6'), { status: 'succeeded' });
      Object.assign(byId(rows.orders, 'order-6'), { status: 'paid', paying: false });
    },
    ['waiting', 'pi_6'],
    ['rowsWithoutCharge', 'payment-6'],
  ],
  [
    'a consent that was not recorded',
    ({ ledger }) => {
      ledger.open.pop();
      ledger.charges.push({
        ...one(ledger.charges),
        reference: 'pi_6',
        paymentId: 'payment-6',
        amount: 2_000,
      });
    },
    ['waiting', 'payment-6'],
    ['chargesWithoutRow', 'pi_6'],
  ],
  [
    'a cancellation that the provider was not told of',
    ({ rows }) => {
      Object.assign(byId(rows.payments, 'payment-6'), { status: 'canceled' });
      Object.assign(byId(rows.orders, 'order-6'), { paying: false });
    },
    ['waiting', 'pi_6'],
  ],
  [
    'an order with two payments that wait',
    ({ rows, ledger, clientOutcomes }) => {
      clientOutcomes.pop();
      Object.assign(byId(rows.payments, 'payment-7'), { status: 'requires_action' });
      ledger.open.push({ ...one(ledger.open), reference: 'pi_7', paymentId: 'payment-7' });
    },
    ['livePayments', 'order-6'],
  ],
  [
    'a payment that was canceled, although the cancellation has lost',
    ({ clientOutcomes }) =>
      Object.assign(one(clientOutcomes.slice(-1)), { response: parsed(409, null, 'INVALID_STATE') }),
    ['untrueResponses', 'give-up-key'],
  ],
  [
    'an order that is locked by a payment which has ended',
    ({ rows, ledger }) => {
      Object.assign(byId(rows.payments, 'payment-6'), { status: 'failed' });
      ledger.open.pop();
    },
    ['money', 'order-6'],
  ],
  [
    'a refund that was rejected for no reason',
    ({ rows, clientOutcomes }) => {
      rows.keys.push({ ...one(rows.keys), key: 'rejected-refund' });
      const response = parsed(409, null, 'INVALID_STATE');
      clientOutcomes.push({ ...outcome('refund', 'rejected-refund', response), subjectId: 'payment-1' });
    },
    ['untrueResponses', 'rejected-refund'],
  ],
  [
    'a payment that the reconciler has not found at the provider',
    (world) => {
      Object.assign(byId(world.rows.payments, 'payment-6'), { status: 'pending', reference: null });
      world.clientOutcomes = world.clientOutcomes.filter(({ key }) => key !== 'payment-key-6');
    },
    ['stranded', 'payment-6'],
    ['waiting', 'pi_6'],
  ],
  [
    'a client secret in a log',
    ({ leaks }) => leaks.push('log of server-1: pi_6_secret_7'),
    ['secrets', 'pi_6_secret_7'],
  ],
];

describe('The judge of live payments', () => {
  it('finds nothing wrong where nothing is', () => {
    expect(judge(liveWorld())).to.deep.equal([]);
  });

  it('leaves a payment to its payer that has not reached the provider', () => {
    const world = liveWorld();
    Object.assign(byId(world.rows.payments, 'payment-6'), { status: 'pending', reference: null });
    world.ledger.open.pop();
    world.clientOutcomes = world.clientOutcomes.filter(({ key }) => key !== 'payment-key-6');
    expect(judge(world)).to.deep.equal([]);
  });

  it('takes a payment to be told as it is, when its first response was lost', () => {
    const world = liveWorld();
    const told = one(world.clientOutcomes.filter(({ key }) => key === 'payment-key-5'));
    Object.assign(told.response?.subject ?? {}, { status: 'partially_refunded' });
    expect(judge(world)).to.deep.equal([]);
    Object.assign(told.response?.subject ?? {}, { status: 'canceled' });
    expectOnly(judge(world), [['untrueResponses', 'payment-key-5']]);
  });

  it('knows the captures and cancellations that a merchant has made in the dashboard', () => {
    const world = liveWorld();
    captureInDashboard(world);
    world.ledger.canceled.push({ reference: 'pi_7', paymentId: 'payment-7', inDashboard: true });
    const late = one(world.clientOutcomes.filter(({ key }) => key === 'give-up-key'));
    late.response = parsed(409, null, 'INVALID_STATE');
    expect(judge(world)).to.deep.equal([]);
  });

  it('takes a refund to be rejected of which less was left than it wanted', () => {
    const world = liveWorld();
    world.rows.keys.push({ ...one(world.rows.keys), key: 'rejected-refund' });
    const rejected = outcome('refund', 'rejected-refund', parsed(409, null, 'AMOUNT_EXCEEDED'));
    world.clientOutcomes.push({ ...rejected, subjectId: 'payment-3', asked: { amount: 1_001 } });
    expect(judge(world)).to.deep.equal([]);
  });

  it('takes a refund to be rejected that has failed before its response', () => {
    const world = liveWorld();
    world.ledger.refunds = world.ledger.refunds.filter(({ reference }) => reference !== 're_5');
    world.ledger.disputes.pop();
    world.rows.disputes.pop();
    world.rows.refunds = world.rows.refunds.filter(({ id }) => id !== 'refund-5');
    Object.assign(byId(world.rows.payments, 'payment-5'), { refunded: 0, disputed: 0, status: 'succeeded' });
    Object.assign(byId(world.rows.refunds, 'refund-6'), { reference: null });
    const late = one(world.clientOutcomes.filter(({ key }) => key === 'late-key'));
    late.response = parsed(422, null, 'PAYMENT_DECLINED');
    expect(judge(world)).to.deep.equal([]);
    world.ledger.refunds.pop();
    expectOnly(judge(world), [['untrueResponses', 'late-key']]);
  });

  it('takes a capture to be rejected that came too late, if it has failed', () => {
    const world = liveWorld();
    const late = { ...one(world.rows.captures), id: 'capture-9', status: 'failed' };
    world.rows.captures.push(late);
    world.rows.keys.push({
      ...one(world.rows.keys),
      key: 'too-late-key',
      process: 'capture',
      subject: late.id,
    });
    const response = parsed(409, null, 'INVALID_STATE');
    world.clientOutcomes.push({
      ...outcome('capture', 'too-late-key', response),
      subjectId: 'payment-5',
    });
    expect(judge(world)).to.deep.equal([]);
    late.status = 'pending';
    expect(judge(world).filter(({ kind }) => kind === 'untrueResponses')).to.have.length(1);
  });

  for (const [title, change, ...seen] of wrongs) {
    it(`finds ${title}`, () => {
      const world = liveWorld();
      change(world);
      expectOnly(judge(world), seen);
    });
  }
});
