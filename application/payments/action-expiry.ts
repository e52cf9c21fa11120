import type { Payment, PaymentId } from '#domain/payment.ts';
import { type Job, type JobResult, runEach } from '../job.ts';
import type { PageRequest } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Postponements } from '../postponements.ts';
import type { charges } from './charges.ts';

/** Why a payment is canceled whose payer did not act in time. */
const actionExpired = { code: 'action_expired', message: 'The payer did not act in time.' };

/** How many rows one query reads. */
const batchSize = 100;

interface Dependencies extends Pick<ReturnType<typeof charges>, 'cancel' | 'settle'> {
  readonly clock: Clock;
}

/**
 * Ends the payments whose payer did not act in time, as their provider says: one whose payer acted at the last moment succeeds. One
 * that fails is retried by a later run, and delays no other.
 */
export const endActions =
  ({ clock, cancel, settle }: Dependencies) =>
  (unitOfWork: UnitOfWork, postponed: Postponements): Job =>
  async (signal) => {
    const end = async (payment: Payment): Promise<void> => {
      const state = await postponed.guard(cancel(payment));
      // A charge that never was, or that the provider declines because it is closed, has expired as well.
      const ended =
        'declined' in state && state.declined.code === 'not_charged'
          ? { canceled: true as const, reference: payment.providerReference ?? '' }
          : state;
      await unitOfWork.run(settle(payment, ended, actionExpired));
    };

    const findExpired = (page: PageRequest<PaymentId>) =>
      unitOfWork.read(async ({ payments }) => {
        const { rows, hasMore } = await payments.page({ status: 'requires_action' }, page);
        const now = clock.now();
        // Without a time only a payment is that its provider has asked a payer for who is not present.
        const expired = rows.filter(
          ({ id, actionExpiresAt }) =>
            (actionExpiresAt === null || actionExpiresAt <= now) && !postponed.has(id),
        );
        return { expired, next: hasMore ? { ...page, after: rows.at(-1)?.id } : undefined };
      });

    let page: PageRequest<PaymentId> | undefined = { limit: batchSize };
    let total: JobResult = { done: 0, errors: [] };
    while (page !== undefined && !signal?.aborted) {
      const { expired, next } = await findExpired(page);
      const { done, errors } = await runEach(expired, end, signal);
      total = { done: total.done + done, errors: [...total.errors, ...errors.filter(postponed.isReported)] };
      page = next;
    }
    return total;
  };
