import { ApplicationError } from '#application/errors.ts';
import { taken } from '#domain/errors.ts';
import { ConcurrencyConflict } from '../retry.ts';
import { onePaymentPerOrder } from '../schema/entities/payment.ts';

/** The domain's field behind each constraint that a caller can run into. */
const fields: ReadonlyMap<string, string> = new Map([
  ['products_sku_unique', 'sku'],
  ['users_email_unique', 'email'],
  ['reviews_item_id_unique', 'itemId'],
]);

/** Constraints that only a race can break: whoever looks again sees what the other one did. */
const races: ReadonlySet<string> = new Set(['idempotency_keys_pkey', onePaymentPerOrder]);

/** What it means that a value is there already, by the name that PostgreSQL gives the constraint. */
export const constraintError = (constraint: string, cause: unknown): unknown => {
  if (races.has(constraint)) return new ConcurrencyConflict(`Somebody else was first: ${constraint}.`, cause);
  const field = fields.get(constraint);
  return field === undefined ? cause : taken(field);
};

export const unavailable = (cause: unknown): ApplicationError =>
  new ApplicationError('unavailable', 'The store is away.', cause);
