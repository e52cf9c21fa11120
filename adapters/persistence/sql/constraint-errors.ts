import { UnavailableError } from '#application/errors.ts';
import { conflictOn } from '#domain/errors.ts';
import { ConcurrencyConflict } from '../retry.ts';
import { onePaymentPerOrder } from '../schema/entities/payment.ts';

/** The domain's field behind each unique constraint that a request can violate. A violation becomes DomainError 'conflict'. */
const fields: ReadonlyMap<string, string> = new Map([
  ['products_sku_unique', 'sku'],
  ['users_email_unique', 'email'],
  ['reviews_item_id_unique', 'itemId'],
]);

/** Constraints that only concurrent units of work can violate. A retry sees the row that was inserted first. */
const conflicts: ReadonlySet<string> = new Set(['idempotency_keys_pkey', onePaymentPerOrder]);

/**
 * Translates the violation of a unique constraint.
 * @param constraint its name, as PostgreSQL forms it
 * @returns a ConcurrencyConflict, a DomainError 'conflict', or the cause itself where the violation is a defect of ours
 */
export const constraintError = (constraint: string, cause: unknown): unknown => {
  if (conflicts.has(constraint)) {
    return new ConcurrencyConflict(`Another unit of work was first: ${constraint}.`, cause);
  }
  const field = fields.get(constraint);
  return field === undefined ? cause : conflictOn(field);
};

export const unavailable = (cause: unknown): UnavailableError =>
  new UnavailableError('database-unavailable', cause);
