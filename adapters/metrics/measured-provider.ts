import { Counter, Histogram, type Registry } from 'prom-client';
import { ApplicationError, type MismatchedProcess } from '#application/errors.ts';
import { wrappedLifecycle } from '#application/payments/provider-capabilities.ts';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
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
        const outcome = await pending;
        count(typeof outcome === 'object' && 'declined' in outcome ? 'declined' : 'succeeded');
        return outcome;
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
  const refund = measure('refund');
  const closeRefund = measure('close_refund');

  const findCharge = measure('find_charge');
  const cancel = measure('cancel');
  const capture = measure('capture');
  const retrieveCharge = measure('retrieve_charge');
  const findChargeOf = measure('find_charge_of');
  const listProviderEvents = measure('list_provider_events');

  const measuredLifecycle = (lifecycle: ChargeLifecycle): ChargeLifecycle =>
    wrappedLifecycle(lifecycle, {
      findCharge: (call) => (of) => findCharge(call(of)),
      retrieveCharge: (call) => (of) => retrieveCharge(call(of)),
      cancel: (call) => (of) => cancel(call(of)),
      capture: (call) => (of) => capture(call(of)),
      findChargeOf: (call) => (of) => findChargeOf(call(of)),
      listProviderEvents: (call) => (time) => listProviderEvents(call(time)),
      parseWebhook: (call) => call,
    });

  return (provider: PaymentProvider): PaymentProvider => ({
    name: provider.name,
    idempotencyWindowMs: provider.idempotencyWindowMs,
    charge: (of) => charge(provider.charge(of)),
    closeCharge: (of) => closeCharge(provider.closeCharge(of)),
    refund: (of) => refund(provider.refund(of)),
    closeRefund: (of) => closeRefund(provider.closeRefund(of)),
    ...(provider.lifecycle && { lifecycle: measuredLifecycle(provider.lifecycle) }),
  });
};

/** Counts how often the payment provider reports something else than what was asked, by process. */
export const measuredMismatches = (registry: Registry): ((process: MismatchedProcess) => void) => {
  const counter = new Counter({
    name: 'portico_provider_mismatches_total',
    help: 'Outcomes that the payment provider reported with another amount, currency or id than was asked. They are not recorded.',
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
