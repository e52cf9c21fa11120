import { Counter, type Registry } from 'prom-client';
import { ApplicationError } from '#application/errors.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import { DomainError } from '#domain/errors.ts';
import { startingAtZero } from './measured-requests.ts';

const outcomes = ['executed', 'refused', 'replayed', 'in_progress', 'reused', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

/** The outcome of a payment or refund, as its client saw it. */
const endings = ['succeeded', 'declined', 'refused', 'failed', 'timed_out'] as const;
type Ending = (typeof endings)[number];

/** Counts the outcomes of requests that have an idempotency key, and those of payments and refunds apart. */
export const measuredIdempotency = (registry: Registry) => {
  const counters = <O extends string>(name: string, help: string, outcomes: readonly O[]) => {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    return new Map(outcomes.map((outcome) => [outcome, startingAtZero(counter.labels({ outcome }))]));
  };
  const unknown = 'After failed and timed_out the outcome is not known yet.';
  const requests = counters(
    'portico_idempotent_requests_total',
    'Requests with an idempotency key: executed, rejected, replayed, or neither.',
    outcomes,
  );
  const payments = counters(
    'portico_payments_total',
    `Payments that were requested and not replayed. ${unknown}`,
    endings,
  );
  const refunds = counters(
    'portico_refunds_total',
    `Refunds that were requested and not replayed. ${unknown}`,
    endings,
  );
  const byProcess = new Map([
    ['payment', payments],
    ['refund', refunds],
  ]);

  const measure = async <T>(
    attempt: Promise<IdempotentResult<T>>,
    process = '',
  ): Promise<IdempotentResult<T>> => {
    const count = (outcome: Outcome, ending: Ending | undefined): void => {
      requests.get(outcome)?.inc();
      if (ending !== undefined) byProcess.get(process)?.get(ending)?.inc();
    };
    try {
      const attempted = await attempt;
      if ('replayed' in attempted) count('replayed', undefined);
      else if ('rejected' in attempted.outcome) count('refused', endingOf(attempted.outcome.rejected));
      else count('executed', 'succeeded');
      return attempted;
    } catch (error) {
      count(outcomeOf(error), endingOf(error));
      throw error;
    }
  };

  return ({ command, process, ...unmeasured }: Idempotency): Idempotency => ({
    command: (...args) => measure(command(...args)),
    process: (attempt, steps, ...args) => measure(process(attempt, steps, ...args), steps.process),
    ...unmeasured,
  });
};

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof DomainError) return 'refused';
  if (error instanceof ApplicationError && error.kind === 'key-in-progress') return 'in_progress';
  return error instanceof ApplicationError && error.kind === 'key-reused' ? 'reused' : 'failed';
};

/** @returns undefined when this request did not start the process: another one holds the key */
const endingOf = (error: unknown): Ending | undefined => {
  if (error instanceof DomainError) return error.kind === 'payment-declined' ? 'declined' : 'refused';
  if (!(error instanceof ApplicationError)) return 'failed';
  if (error.kind === 'key-in-progress' || error.kind === 'key-reused') return undefined;
  return error.kind === 'provider-timeout' ? 'timed_out' : 'failed';
};
