import { expect } from 'chai';
import { judge } from './all.ts';
import type { Evidence } from './evidence.ts';
import { expectOnly, one, type Seen } from './expectations.ts';
import { type Draft, goodWorld, outcome, parsed } from './world.ts';

type World = Draft<Evidence>;

const mark = 'wolpertinger-7-x';
const second = 1_000;

/** Grace has paid an order, and was erased while another waited to be paid, and the response to a third one was lost. */
const erasedWorld = (): World => {
  const world = goodWorld();
  const { rows, ledger, clientOutcomes, people } = world;
  const graces = { userId: 'grace' };
  const base = one(rows.orders).createdAt;
  const bought = { ...one(rows.items), productId: 'news', counted: false };
  people.push({ id: 'grace', mark });
  rows.users.push({ id: 'grace', status: 'erased' });
  rows.erasures.push({ id: 'erasure-1', ...graces, createdAt: base + second, status: 'completed' });
  rows.orders.push(
    { ...one(rows.orders), ...graces, id: 'order-5' },
    { ...one(rows.orders), ...graces, id: 'order-6', status: 'canceled' },
    { ...one(rows.orders), ...graces, id: 'order-7', status: 'canceled' },
  );
  for (const number of [5, 6, 7])
    rows.items.push({ ...bought, id: `grace-item-${number}`, orderId: `order-${number}` });
  rows.payments.push({
    ...one(rows.payments),
    ...{ ...graces, id: 'payment-5', orderId: 'order-5', reference: 'pi_5' },
  });
  ledger.charges.push({ ...one(ledger.charges), reference: 'pi_5', paymentId: 'payment-5' });
  rows.keys.push({ ...one(rows.keys), key: 'erasure-key' });
  clientOutcomes.push(
    ...[
      outcome('order', 'grace-key-1', parsed(201, { id: 'order-5', amount: 900, itemCount: 1 })),
      outcome('order', 'grace-key-2', parsed(201, { id: 'order-6', amount: 900, itemCount: 1 })),
      outcome('order', 'grace-key-3', parsed(401, null, 'UNAUTHORIZED')),
      outcome(
        'payment',
        'grace-key-4',
        parsed(201, { id: 'payment-5', status: 'succeeded', amount: 900, reference: 'pi_5' }),
      ),
      outcome('payment', 'grace-key-5', parsed(422, null, 'PAYMENT_DECLINED')),
      { ...outcome('payment', 'grace-key-6', parsed(401, null)), response: undefined },
    ].map((one) => ({ ...one, personId: 'grace', isForgotten: true })),
    outcome('erasure', 'erasure-key', parsed(201, { id: 'erasure-1', status: 'pending' })),
  );
  return world as World;
};

const wrongs: [title: string, change: (world: World) => void, ...seen: Seen[]][] = [
  [
    'an erasure that is not completed',
    ({ rows }) => Object.assign(one(rows.erasures), { status: 'pending' }),
    ['unfinishedErasures', 'erasure-1'],
  ],
  [
    'an accepted erasure that is not there',
    ({ rows }) => {
      rows.erasures.push({ ...one(rows.erasures), id: 'erasure-9' });
      rows.erasures.shift();
    },
    ['untrueResponses', 'no such erasure'],
    ['rowsMadeTwice', 'erasure-9'],
  ],
  [
    'a user who was erased twice',
    ({ rows, clientOutcomes }) => {
      rows.erasures.push({ ...one(rows.erasures), id: 'erasure-2' });
      rows.keys.push({ ...one(rows.keys), key: 'erasure-key-2' });
      clientOutcomes.push(outcome('erasure', 'erasure-key-2', parsed(201, { id: 'erasure-2' })) as never);
    },
    ['rowsMadeTwice', 'erased twice'],
  ],
  [
    'a user who can go on',
    ({ rows }) => Object.assign(one(rows.users, 1), { status: 'active' }),
    ['personalData', 'the user active'],
  ],
  [
    'a text that is left',
    ({ markedRows }) => markedRows.push({ table: 'refunds', text: `{"reason":"${mark} was not content"}` }),
    ['personalData', 'refunds'],
  ],
  [
    'a response to the user that is left',
    ({ rows }) => rows.keys.push({ ...one(rows.keys), userId: 'grace', key: 'grace-key-1' }),
    ['personalData', 'grace-key-1'],
  ],
  [
    'a pending order that is left',
    ({ rows }) => Object.assign(one(rows.orders, 5), { status: 'pending' }),
    ['personalData', 'order-6'],
  ],
  [
    'an order that was canceled without giving its stock back',
    ({ rows }) => {
      Object.assign(one(rows.items, 7), { productId: 'tea', counted: true });
      Object.assign(one(rows.products), { stock: 4_000 });
    },
    ['stock', 'tea'],
  ],
  [
    'an order that is gone',
    ({ rows }) => {
      rows.orders.splice(5, 1);
      rows.items.splice(7, 1);
    },
    ['untrueResponses', 'grace-key-2'],
  ],
  [
    'a payment that is gone',
    ({ rows }) => rows.payments.pop(),
    ['untrueResponses', 'grace-key-4'],
    ['chargesWithoutRow', 'pi_5'],
    ['money', 'order-5'],
  ],
  [
    'a sum that was changed',
    ({ rows }) => Object.assign(one(rows.orders, 4), { total: 0 }),
    ['money', 'order-5'],
  ],
  [
    'an order that was placed as the erased user',
    ({ rows }) =>
      Object.assign(one(rows.orders, 6), { createdAt: one(rows.erasures).createdAt + 11 * second }),
    ['erasedActors', 'order-7'],
  ],
  [
    'a payment that began as the erased user',
    ({ rows }) =>
      Object.assign(one(rows.payments, 4), { createdAt: one(rows.erasures).createdAt + 11 * second }),
    ['erasedActors', 'payment-5'],
  ],
  [
    'an order of the erased user that was made twice',
    ({ rows }) => {
      rows.orders.push({ ...one(rows.orders, 6), id: 'order-9' });
      rows.items.push({ ...one(rows.items, 8), id: 'grace-item-9', orderId: 'order-9' });
    },
    ['rowsMadeTwice', 'order-9'],
  ],
  [
    'an order of another user of which no client was told',
    ({ rows }) => Object.assign(one(rows.orders, 6), { userId: 'ada' }),
    ['rowsMadeTwice', 'order-7'],
  ],
];

describe('The chaos judge of erasures', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(erasedWorld())).to.deep.equal([]);
  });

  it('takes no text of another customer to be left', () => {
    const world = erasedWorld();
    world.markedRows.push({ table: 'users', text: '{"name":"wolpertinger-77-x"}' });
    expect(judge(world)).to.deep.equal([]);
  });

  for (const [title, change, ...seen] of wrongs) {
    it(`sees ${title}, and nothing else`, () => {
      const world = erasedWorld();
      change(world);
      expectOnly(judge(world), seen);
    });
  }
});
