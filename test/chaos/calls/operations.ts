import { setTimeout as pause } from 'node:timers/promises';
import { paymentOf } from '../../lab/clients/requests.ts';
import type { Subject } from '../../lab/clients/response.ts';
import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import { whenPaymentIs } from '../live/reading.ts';
import { cancelPayment, capture, returnMark } from '../live/requests.ts';
import type { Visit } from '../visit.ts';
import { type Act, created, type Operation, requested, untilFound, type World } from './act.ts';
import { beginErasure, completeErasure } from './erasing.ts';

const newOrder = (visit: Visit): Promise<Subject> =>
  created(visit.order([visit.shop.products[0]?.id ?? '', 3]));

const payWith = (visit: Visit, order: Subject, card: string, more: object = {}): RetriedRequest => {
  const details = { payment_method: card, ...more };
  return visit.newRequest(paymentOf(order, visit.shop.staff, details, ['201', '422 PAYMENT_DECLINED']));
};

const asking = 'pm_card_authenticationRequired';
const present = { payer_present: true, return_url: `https://shop.example/${returnMark}` };

const paidWith = async (visit: Visit, card: string, more: object = {}): Promise<Subject> =>
  created(payWith(visit, await newOrder(visit), card, more));

const visa = 'pm_card_visa';

/** How often the tasks that are left are read, and the pause in between, in milliseconds. */
const maxReads = 20;
const readPauseMs = 300;

/** Waits until the server has looked up what has happened so far, so that only later events are left. */
const followAll = async ({ visit, database }: World): Promise<void> => {
  await visit.provider.deliver();
  for (let reads = 0; reads < maxReads; reads += 1) {
    if ((await database.query('select kind from look_ups where events > 0')).length === 0) return;
    await pause(readPauseMs);
  }
};

/**
 * Money moves at the provider, and the server follows.
 * @param found selects a row once it has
 * @param deliver how the server gets the event
 */
const followed = async (
  world: World,
  found: string,
  move: () => Promise<unknown>,
  deliver: () => Promise<unknown>,
): Promise<Act> => {
  await followAll(world);
  const notify = async () => {
    await deliver();
    await untilFound(world, found);
  };
  return {
    run: async () => {
      await move();
      await notify();
    },
    finish: notify,
  };
};

const refundFrom = async (world: World, deliver: () => Promise<unknown>): Promise<Act> => {
  const { visit } = world;
  const { id, reference } = await paidWith(visit, visa);
  const found = `select id from refunds where payment_id = '${id}'`;
  return followed(world, found, () => visit.provider.refundInDashboard(reference ?? '', 100), deliver);
};

const withPendingRefund = async (visit: Visit): Promise<Subject> => {
  await visit.provider.refundsBegin('pending');
  const refund = await created(visit.refund(await paidWith(visit, visa)));
  await visit.provider.refundsBegin(undefined);
  return refund;
};

/** The only one for which a server reads the list of events. */
export const byListOfEvents = 'refund from outside, by the list of events';

export const operations: Readonly<Record<string, Operation>> = {
  payment: async ({ visit }) => requested(visit, payWith(visit, await newOrder(visit), visa)),
  declined: async ({ visit }) =>
    requested(visit, payWith(visit, await newOrder(visit), 'pm_card_chargeDeclined')),
  asked: async ({ visit }) => requested(visit, payWith(visit, await newOrder(visit), asking, present)),
  consent: async ({ visit }) => {
    const payment = await paidWith(visit, asking, present);
    const read = () => whenPaymentIs(visit, { ...payment, status: null }, ['succeeded'], visit.shop.staff);
    return {
      run: async () => {
        await visit.provider.consent(payment.reference ?? '');
        await read();
      },
      finish: read,
    };
  },
  authorization: async ({ visit }) =>
    requested(visit, payWith(visit, await newOrder(visit), visa, { capture: 'manual' })),
  capture: async ({ visit }) =>
    requested(visit, capture(visit, await paidWith(visit, visa, { capture: 'manual' }))),
  'partial capture': async ({ visit }) =>
    requested(visit, capture(visit, await paidWith(visit, visa, { capture: 'manual' }), 500)),
  cancellation: async ({ visit }) => {
    const payment = await paidWith(visit, asking, present);
    return requested(visit, cancelPayment(visit, payment, visit.shop.staff));
  },
  'void of an authorization': async ({ visit }) => {
    const payment = await paidWith(visit, visa, { capture: 'manual' });
    return requested(visit, cancelPayment(visit, payment, visit.shop.staff));
  },
  refund: async ({ visit }) => requested(visit, visit.refund(await paidWith(visit, visa))),
  'refund that waits': async ({ visit }) => {
    const payment = await paidWith(visit, visa);
    await visit.provider.refundsBegin('pending');
    return requested(visit, visit.refund(payment, 100));
  },
  'refund that fails late': async (world) => {
    const { visit } = world;
    const { id, reference } = await withPendingRefund(visit);
    const found = `select id from refunds where id = '${id}' and status = 'failed'`;
    const move = () => visit.provider.moveRefund(reference ?? '', 'failed', 'expired_or_canceled_card');
    return followed(world, found, move, () => visit.provider.deliver());
  },
  dispute: async (world) => {
    const { visit } = world;
    const { id, reference } = await paidWith(visit, visa);
    const found = `select id from disputes where payment_id = '${id}'`;
    return followed(
      world,
      found,
      () => visit.provider.dispute(reference ?? ''),
      () => visit.provider.deliver(),
    );
  },
  erasure: beginErasure,
  'last pass of an erasure': completeErasure,
  'refund from outside, by webhook': (world) => refundFrom(world, () => world.visit.provider.deliver()),
  [byListOfEvents]: (world) => refundFrom(world, async () => undefined),
};
