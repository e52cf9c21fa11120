import { conflictIn } from '#application/conflicts.ts';
import {
  ConcurrencyConflict,
  ConstraintRace,
  ConstraintViolation,
  UnavailableError,
} from '#application/errors.ts';
import { type Constraints, collectionNames, constraints } from '#application/ports/repositories.ts';
import { tables } from '../schema/entities/all.ts';
import { onePaymentPerOrder } from '../schema/entities/payment.ts';

/** What a violation of each unique constraint becomes that a request can violate. */
const conflicts: ReadonlyMap<string, () => Error> = new Map(
  collectionNames.flatMap((collection) => {
    const { unique = [] }: Constraints = constraints[collection];
    const { name, filters }: { name: string; filters: Readonly<Record<string, string>> } = tables[collection];
    return unique.map(
      (field) => [`${name}_${filters[field]}_unique`, () => conflictIn(collection, field)] as const,
    );
  }),
);

/** Constraints that concurrent units of work can violate. A retry sees the row that was inserted first. */
const races: ReadonlySet<string> = new Set(['idempotency_keys_pkey', onePaymentPerOrder]);

/**
 * Keys that the database gives. In a Galera cluster that writes to several nodes, two of them can give the same one, where
 * `wsrep_auto_increment_control` is off or a node has just joined. A retry gets another.
 */
const given: ReadonlySet<string> = new Set(['event_queue_pkey']);

/**
 * Translates the violation of a constraint other than a foreign key.
 * @param constraint its name, as PostgreSQL forms it
 * @returns a ConstraintRace, a ConcurrencyConflict, a DomainError 'conflict', or a ConstraintViolation
 */
export const constraintError = (constraint: string, cause: unknown): unknown => {
  if (races.has(constraint)) return new ConstraintRace(constraint, cause);
  if (given.has(constraint))
    return new ConcurrencyConflict(`Another unit of work has the same key: ${constraint}.`, cause);
  return conflicts.get(constraint)?.() ?? new ConstraintViolation(constraint, cause);
};

/** A reference to a row that is missing, or that was removed by a unit of work that was first. */
export const referenceError = (cause: Error): ConstraintRace => new ConstraintRace(cause.message, cause);

export const unavailable = (cause: unknown): UnavailableError =>
  new UnavailableError('database-unavailable', cause);
