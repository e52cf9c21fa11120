import { Instant } from '#domain/instant.ts';
import type { Payment } from '#domain/payment.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { Clock } from '../ports/system.ts';
import type { Refresh } from '../use-case.ts';
import { expiryOf, paymentAfter } from './charge-outcome.ts';
import { type charges, type LivePayment, withAction } from './charges.ts';
import { scheduleReconciliation } from './schedule-reconciliation.ts';

/** How often the provider is asked about one payment by those who read it, in milliseconds, over all processes. */
export const refreshIntervalMs = 1_000;

interface Dependencies extends Pick<ReturnType<typeof charges>, 'findState' | 'settle'> {
  readonly clock: Clock;
  readonly provider: PaymentProvider;
}

/** Asks the provider what the payer of a payment has to do now, and what became of the charge meanwhile. */
export const refreshPayment = ({
  clock,
  provider,
  findState,
  settle,
}: Dependencies): Refresh<LivePayment> => ({
  isDue: ({ status, provider: name, providerReference }) =>
    status === 'requires_action' &&
    name === provider.name &&
    provider.lifecycle !== undefined &&
    providerReference !== null,

  claim:
    (payment) =>
    async ({ reconciliationTasks, payments }) => {
      const providerObject = { kind: 'charge', reference: payment.providerReference ?? '' } as const;
      const now = clock.now();
      const find = () => reconciliationTasks.find(provider.name, providerObject);
      let task = await find();
      // Without the task that began with the payment, the payment may have changed since it was read.
      if (task?.createdAt !== payment.createdAt) {
        const current = await payments.find(payment.id);
        if (current?.status !== 'requires_action') return false;
      }
      if (task === undefined) {
        await scheduleReconciliation(reconciliationTasks, payment, now);
        task = await find();
      }
      if (task === undefined || wasAskedJustNow(task.lastAttemptAt, now)) return false;
      return reconciliationTasks.claim(task, now, task.dueAt);
    },

  call: async (payment) => {
    const state = await findState(payment);
    if (state === undefined) return { found: payment };
    const now = clock.now();
    const isKnown = paymentAfter(payment, state, now) === (payment as Payment);
    return isKnown
      ? { found: withAction(payment, state) }
      : { record: settle(payment, state, expiryOf(payment, state, now)) };
  },
});

/** In either direction, so that a clock that was set back stops nothing. */
const wasAskedJustNow = (lastAttemptAt: Instant | null, now: Instant): boolean =>
  lastAttemptAt !== null &&
  Math.abs(Instant.milliseconds(now) - Instant.milliseconds(lastAttemptAt)) < refreshIntervalMs;
