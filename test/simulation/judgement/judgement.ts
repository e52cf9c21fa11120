import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import { offline, Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import { judgeMoneyAndGoods } from '../../lab/judge/all.ts';
import { wasCharged } from '../../lab/judge/evidence.ts';
import type { PaymentRow } from '../../lab/rows.ts';
import { violationKinds } from '../../lab/violations.ts';
import type { Operation } from '../client.ts';
import type { SimulatedProvider } from '../provider/provider.ts';
import type { Shop } from '../shop.ts';
import { judgeErasure } from './erasure.ts';
import { evidenceOf } from './evidence.ts';
import { judgeKeys } from './keys.ts';

export type Problems = Generator<string, void, undefined>;

const all = { limit: 1_000 };

/**
 * What is unsettled although there was time enough.
 * @param overdue orders that were placed by then and are not paid should have been canceled
 * @param mayWait whether payers and banks may still decide
 */
export const leftOpen = (store: UnitOfWork, overdue: Instant, mayWait: boolean): Promise<readonly string[]> =>
  store.read(async (from) => {
    const never = Instant.at(Date.UTC(2100, 0, 1));
    const keys = await from.idempotencyKeys.findStale({
      ...all,
      createdBefore: never,
      now: never,
      leaseMs: 0,
    });
    const { payments, refunds, captures, orders } = await unfinishedIn(from);
    const isOpen = ({ status }: Payment): boolean =>
      status === 'pending' || (!mayWait && (unendingStatuses as readonly string[]).includes(status));
    const isUnknown = (refund: Refund): boolean =>
      isPending(refund) && !(mayWait && refund.providerReference !== null);
    const isWaited = ({ id }: Order): boolean =>
      mayWait && payments.some((payment) => payment.orderId === id && Payment.isLive(payment));
    const erasures = mayWait ? [] : (await from.erasures.page({ status: 'pending' }, all)).rows;
    const reconciliationTasks = mayWait
      ? []
      : await from.reconciliationTasks.listDue('simulated', never, all.limit);
    return [
      ...keys.map(({ key }) => `The key ${key} is unsettled.`),
      ...payments.filter(isOpen).map(({ id }) => `The payment ${id} is stranded.`),
      ...refunds.filter(isUnknown).map(({ id }) => `The refund ${id} is stranded.`),
      ...captures.filter(isPending).map(({ id }) => `The capture ${id} is stranded.`),
      ...orders
        .filter((order) => order.paying && !isWaited(order))
        .map(({ id }) => `The order ${id} is being paid for ever.`),
      ...orders
        .filter((order) => isPending(order) && order.createdAt <= overdue && !(mayWait && order.unlockedAt))
        .filter((order) => !isWaited(order))
        .map(({ id }) => `The order ${id} waits to be paid for ever.`),
      ...erasures.map(({ id }) => `The erasure ${id} is not completed.`),
      ...reconciliationTasks.map(({ kind, reference }) => `The ${kind} ${reference} is looked up for ever.`),
    ];
  });

/**
 * Compares the provider's ledger, the rows and the responses, once everything has ended.
 * @param quietMs how long after an erasure has begun a request of its user may still end
 * @returns the contradictions
 */
export const judge = (
  shop: Shop,
  { ledger: { charges } }: SimulatedProvider,
  operations: readonly Operation[],
  quietMs: number,
): readonly string[] => {
  const evidence = evidenceOf(shop, charges);
  const violations = [...judgeMoneyAndGoods(evidence), ...judgeErasure(evidence, operations, quietMs)];
  return [
    ...operations.flatMap(({ contradictions }) => contradictions),
    ...violations.map(({ kind, detail }) => `${violationKinds[kind]}: ${detail}`),
    ...judgeKeys(shop, operations),
    ...operations.flatMap((one) => [...judgeAnswer(one, evidence.rows.payments)]),
  ];
};

const unfinishedIn = async ({ orders, payments, captures, refunds }: ReadRepositories) => ({
  orders: (await orders.page({}, all)).rows,
  payments: (await payments.page({}, all)).rows,
  captures: (await captures.page({}, all)).rows,
  refunds: (await refunds.page({}, all)).rows,
});

const isPending = ({ status }: { readonly status: string }): boolean => status === 'pending';

/** Statuses in which a payment can be only for a time. */
const unendingStatuses = ['requires_action', 'processing', 'authorized'] as const;

/** A client who was told that a payment has succeeded or was given up was told the truth. */
function* judgeAnswer(
  { key, finalResponse: response }: Operation,
  payments: readonly PaymentRow[],
): Problems {
  const isCancellation = key.startsWith('giveup-');
  if ((!key.startsWith('pay-') && !isCancellation) || !response?.startsWith('{')) return;
  const { id, provider, status }: Pick<Payment, 'id' | 'provider' | 'status'> = JSON.parse(response);
  const payment = payments.find((one) => one.id === id);
  const isTrue = isCancellation ? payment?.status === 'canceled' : payment && wasCharged(payment);
  if (key.endsWith(offline) !== (provider === offline)) yield `${key} was paid by ${provider}.`;
  if (payment === undefined || (!isTrue && (isCancellation || status === 'succeeded')))
    yield `${key} was told of a payment that is none: ${response}`;
}
