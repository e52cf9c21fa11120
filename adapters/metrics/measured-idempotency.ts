import { ApplicationError } from '#application/errors.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { Attempted } from '#application/idempotency/idempotency-record.ts';
import { DomainError } from '#domain/errors.ts';
import { type Cell, cellCounter, type Register } from './series.ts';

const outcomes = ['executed', 'refused', 'replayed', 'in_progress', 'reused', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

/** How a payment or refund that a client asked for ended, for the client. */
const endings = ['succeeded', 'declined', 'refused', 'failed', 'timed_out'] as const;
type Ending = (typeof endings)[number];

/** Counts what came of the requests that have an idempotency key, and of payments and refunds in particular. */
export const measuredIdempotency = (register: Register) => {
  const requests = cellCounter(register, {
    name: 'portico_idempotent_requests_total',
    help: 'Requests with an idempotency key: carried out, refused, answered again, or neither.',
  });
  const byOutcome = new Map<Outcome, Cell>(outcomes.map((outcome) => [outcome, requests({ outcome })]));
  const processes = (name: string, what: string): ReadonlyMap<Ending, Cell> => {
    const help = `${what} that were asked for and not answered before. After failed and timed_out the outcome is not known yet.`;
    const cells = cellCounter(register, { name, help });
    return new Map(endings.map((outcome) => [outcome, cells({ outcome })]));
  };
  const byProcess: ReadonlyMap<string, ReadonlyMap<Ending, Cell>> = new Map([
    ['payment', processes('portico_payments_total', 'Payments')],
    ['refund', processes('portico_refunds_total', 'Refunds')],
  ]);

  const watch = async <T>(attempt: Promise<Attempted<T>>, process?: string): Promise<Attempted<T>> => {
    const note = (outcome: Outcome, ending: Ending | undefined): void => {
      add(byOutcome.get(outcome));
      if (process !== undefined && ending !== undefined) add(byProcess.get(process)?.get(ending));
    };
    try {
      const attempted = await attempt;
      if ('remembered' in attempted) note('replayed', undefined);
      else if ('refused' in attempted.outcome) note('refused', endingOf(attempted.outcome.refused));
      else note('executed', 'succeeded');
      return attempted;
    } catch (error) {
      note(outcomeOf(error), endingOf(error));
      throw error;
    }
  };

  return ({ command, process, recover }: Idempotency): Idempotency => ({
    command: (...asked) => watch(command(...asked)),
    process: (attempt, phases, ...asked) => watch(process(attempt, phases, ...asked), phases.process),
    recover,
  });
};

const add = (cell: Cell | undefined): void => {
  if (cell) cell.count += 1;
};

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof DomainError) return 'refused';
  if (error instanceof ApplicationError && error.kind === 'key-in-progress') return 'in_progress';
  return error instanceof ApplicationError && error.kind === 'key-reused' ? 'reused' : 'failed';
};

/** Undefined when there was nothing to be carried out, or somebody else was at it. */
const endingOf = (error: unknown): Ending | undefined => {
  if (error instanceof DomainError) return error.kind === 'payment-declined' ? 'declined' : 'refused';
  if (!(error instanceof ApplicationError)) return 'failed';
  if (error.kind === 'key-in-progress' || error.kind === 'key-reused') return undefined;
  return error.kind === 'provider-timeout' ? 'timed_out' : 'failed';
};
