import { Counter, Histogram, type Registry } from 'prom-client';
import { ApplicationError, type MismatchedProcess } from '#application/errors.ts';
import { wrappedFollowedCharges } from '#application/payments/provider-capabilities.ts';
import type { FollowedCharges } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { durationBuckets, startingAtZero } from './measured-requests.ts';

const outcomes = ['succeeded', 'declined', 'failed', 'timed_out'] as const;
type Outcome = (typeof outcomes)[number];

/** Counts the calls of a payment provider by outcome, and measures how long they take. */
export const measuredProvider = (registry: Registry) => {
  const registers = [registry];
  const calls = new Counter({
    name: 'portico_provider_calls_total',
    help: 'Calls of the payment provider. After failed and timed_out it is unknown whether money moved.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'portico_provider_call_duration_seconds',
    help: 'How long the calls of the payment provider took.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  });

  const measure = (
    operation: string,
  ): (<State extends object | string | undefined>(pending: Promise<State>) => Promise<State>) => {
    const counters = new Map(
      outcomes.map((outcome) => [outcome, startingAtZero(calls.labels({ operation, outcome }))]),
    );
    durations.zero({ operation });
    const duration = durations.labels({ operation });
    return async (pending) => {
      const startedAt = performance.now();
      const count = (outcome: Outcome): void => {
        counters.get(outcome)?.inc();
        duration.observe((performance.now() - startedAt) / 1000);
      };
      try {
        const verdict = await pending;
        count(typeof verdict === 'object' && 'declined' in verdict ? 'declined' : 'succeeded');
        return verdict;
      } catch (error) {
        // The database was unavailable, which is no failure of the provider.
        if (error instanceof ApplicationError && error.kind === 'unavailable') throw error;
        count(
          error instanceof ApplicationError && error.kind === 'provider-timeout' ? 'timed_out' : 'failed',
        );
        throw error;
      }
    };
  };
  const charge = measure('charge');
  const closeCharge = measure('close_charge');
  const reverse = measure('reverse');
  const closeReversal = measure('close_reversal');

  const find = measure('find');
  const cancel = measure('cancel');
  const capture = measure('capture');
  const inspect = measure('inspect');
  const chargeAt = measure('charge_at');
  const newsSince = measure('news_since');

  const measuredFollowed = (followed: FollowedCharges): FollowedCharges =>
    wrappedFollowedCharges(followed, {
      find: (call) => (of) => find(call(of)),
      inspect: (call) => (of) => inspect(call(of)),
      cancel: (call) => (of) => cancel(call(of)),
      capture: (call) => (of) => capture(call(of)),
      chargeAt: (call) => (of) => chargeAt(call(of)),
      newsSince: (call) => (time) => newsSince(call(time)),
      readEvent: (call) => call,
    });

  return (provider: PaymentProvider): PaymentProvider => ({
    name: provider.name,
    idempotencyWindowMs: provider.idempotencyWindowMs,
    charge: (of) => charge(provider.charge(of)),
    closeCharge: (of) => closeCharge(provider.closeCharge(of)),
    reverse: (of) => reverse(provider.reverse(of)),
    closeReversal: (of) => closeReversal(provider.closeReversal(of)),
    ...(provider.followed && { followed: measuredFollowed(provider.followed) }),
  });
};

/** Counts how often the payment provider says something else than what was asked, by process. */
export const measuredMismatches = (registry: Registry): ((process: MismatchedProcess) => void) => {
  const counter = new Counter({
    name: 'portico_provider_mismatches_total',
    help: 'Verdicts of the payment provider with another amount, currency or id than was asked. They are not recorded.',
    labelNames: ['process'],
    registers: [registry],
  });
  const children = {
    payment: startingAtZero(counter.labels({ process: 'payment' })),
    refund: startingAtZero(counter.labels({ process: 'refund' })),
    capture: startingAtZero(counter.labels({ process: 'capture' })),
  };
  return (process) => children[process].inc();
};
