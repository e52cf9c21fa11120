import type { Instant } from '#domain/instant.ts';
import type { Failure, Payment, PaymentId } from '#domain/payment.ts';
import { isOfProvider } from '../errors.ts';
import { type Job, type JobResult, runEach } from '../jobs/job.ts';
import type { RetryDelays } from '../jobs/retry-delays.ts';
import type { PageRequest } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { expiries } from './charge-outcome.ts';
import type { charges } from './charges.ts';
import { hasCapture } from './live-captures.ts';

/** Payments that end by themselves, and why they are canceled then: the payer's consent does not come, or no capture does. */
interface Kind {
  readonly status: 'requires_action' | 'authorized';
  readonly reason: Failure;
  /** Without a time a payment ends at once: its provider waits for a payer who is not present. */
  readonly endsAt: (payment: Payment) => Instant | null;
}

const kinds: readonly Kind[] = [
  {
    status: 'requires_action',
    reason: expiries.action,
    endsAt: ({ actionExpiresAt }) => actionExpiresAt,
  },
  {
    status: 'authorized',
    reason: expiries.authorization,
    endsAt: ({ captureBefore }) => captureBefore,
  },
];

/** How many rows one query reads. */
const batchSize = 100;

interface Dependencies extends Pick<ReturnType<typeof charges>, 'cancel' | 'settle'> {
  readonly clock: Clock;
}

/**
 * Ends the payments whose payer did not act in time, and those that were not captured in time, as their provider reports: one whose
 * payer acted at the last moment succeeds. A payment with a capture under way is left to it. One that fails is retried by a later run,
 * and delays no other.
 */
export const expirePayments =
  ({ clock, cancel, settle }: Dependencies) =>
  (unitOfWork: UnitOfWork, delays: RetryDelays): Job =>
  async (signal) => {
    const isCaptured = ({ id }: Payment): Promise<boolean> =>
      unitOfWork.read(({ captures }) => hasCapture({ captures }, id));

    const end = async (payment: Payment, reason: Failure): Promise<void> => {
      if (payment.status === 'authorized' && (await isCaptured(payment))) return;
      const state = await delays.guard(cancel(payment)).catch((error: unknown) => {
        if (isOfProvider(error)) error.concerned = { paymentId: payment.id, orderId: payment.orderId };
        throw error;
      });
      // A charge that never was, or that the provider declines because it is closed, has expired as well.
      const ended =
        'declined' in state && state.declined.code === 'not_charged'
          ? { canceled: true as const, reference: payment.providerReference ?? '' }
          : state;
      await unitOfWork.run(settle(payment, ended, reason));
    };

    const findExpired = ({ status, endsAt }: Kind, page: PageRequest<PaymentId>) =>
      unitOfWork.read(async ({ payments }) => {
        const { rows, hasMore } = await payments.page({ status }, page);
        const now = clock.now();
        const expired = rows.filter((payment) => (endsAt(payment) ?? now) <= now && !delays.has(payment.id));
        return { expired, next: hasMore ? { ...page, after: rows.at(-1)?.id } : undefined };
      });

    let total: JobResult = { done: 0, errors: [] };
    for (const kind of kinds) {
      let page: PageRequest<PaymentId> | undefined = { limit: batchSize };
      while (page !== undefined && !signal?.aborted) {
        const { expired, next } = await findExpired(kind, page);
        const { done, errors } = await runEach(expired, (payment) => end(payment, kind.reason), signal);
        total = {
          done: total.done + done,
          errors: [...total.errors, ...errors.filter(delays.isReported)],
        };
        page = next;
      }
    }
    return total;
  };
