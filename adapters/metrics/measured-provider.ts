import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';
import { type Cell, cellCounter, durationHistogram, type Register } from './series.ts';

const outcomes = ['succeeded', 'declined', 'failed', 'timed_out'] as const;
type Outcome = (typeof outcomes)[number];

/** Counts what a provider says, and how long that takes. */
export const measuredProvider = (register: Register) => {
  const calls = cellCounter(register, {
    name: 'portico_provider_calls_total',
    help: 'What the payment provider said. After failed and timed_out nobody knows yet whether money moved.',
  });
  const durations = durationHistogram(register, {
    name: 'portico_provider_call_duration_seconds',
    help: 'How long the payment provider took to say something.',
  });
  // Series that are there from the beginning can be alarmed on when they first grow.
  const measure = (operation: string): Measure => {
    const counts = outcomes.map((outcome) => [outcome, calls({ operation, outcome })] as const);
    return measureOf(new Map(counts), durations({ operation }));
  };
  const charge = measure('charge');
  const closeCharge = measure('close_charge');
  const reverse = measure('reverse');
  const closeReversal = measure('close_reversal');

  return (provider: PaymentProvider): PaymentProvider => ({
    name: provider.name,
    memory: provider.memory,
    charge: (of) => charge(provider.charge(of)),
    closeCharge: (of) => closeCharge(provider.closeCharge(of)),
    reverse: (of) => reverse(provider.reverse(of)),
    closeReversal: (of) => closeReversal(provider.closeReversal(of)),
  });
};

type Measure = (verdict: Promise<Verdict>) => Promise<Verdict>;

const measureOf =
  (counts: ReadonlyMap<Outcome, Cell>, durations: { note(seconds: number): void }): Measure =>
  async (pending) => {
    const began = performance.now();
    const note = (outcome: Outcome): void => {
      const cell = counts.get(outcome);
      if (cell) cell.count += 1;
      durations.note((performance.now() - began) / 1000);
    };
    try {
      const verdict = await pending;
      note('declined' in verdict ? 'declined' : 'succeeded');
      return verdict;
    } catch (error) {
      note(error instanceof ApplicationError && error.kind === 'provider-timeout' ? 'timed_out' : 'failed');
      throw error;
    }
  };
