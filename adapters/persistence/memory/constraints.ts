import { conflictIn } from '#application/conflicts.ts';
import { ConstraintViolation } from '#application/errors.ts';
import {
  type Collections,
  type Constraints,
  collectionNames,
  constraints,
} from '#application/ports/repositories.ts';
import { Payment } from '#domain/payment.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { Draft } from './rows.ts';

export type CollectionName = keyof Collections;

/** What one unit of work sees of each collection. */
export type Drafts = { readonly [C in CollectionName]: Draft<Collections[C]['resource']> };

/** The fields by which the queue of webhooks finds deliveries. */
const queueFields: { readonly [C in CollectionName]?: readonly string[] } = { webhookDeliveries: ['status'] };

/** The fields by which the constraints find resources, and the queue of webhooks for deliveries. */
export const indexedFields = (collection: CollectionName): string[] => {
  const { unique = [], reference }: Constraints = constraints[collection];
  const fields = [...unique, reference?.[0], ...(queueFields[collection] ?? [])];
  return fields.filter((field) => field !== undefined);
};

/**
 * Checks a change.
 * @param resource as it would be after the change
 * @returns the error that the change is rejected with
 */
export const violation = (of: CollectionName, resource: Resource, drafts: Drafts): Error | undefined => {
  const { unique = [], reference }: Constraints = constraints[of];
  const valueIn = (field: string): unknown => resource[field as keyof Resource];
  for (const field of unique) {
    if (valueIn(field) === null) continue;
    const same = drafts[of].having(field, valueIn(field));
    if (same.some(({ id }) => id !== resource.id)) return conflictIn(of, field);
  }
  if (of === 'payments' && isSecondLivePayment(resource as Payment, drafts))
    return new ConstraintViolation('The order has another payment that has not failed.');
  if (reference === undefined) return undefined;
  const [field, to] = reference;
  if (valueIn(field) === null) return undefined;
  const found = drafts[to].get(valueIn(field) as Id);
  return found ? undefined : new ConstraintViolation(`The ${field} ${valueIn(field)} refers to nothing.`);
};

/** As `violation`, for the removal of a resource. */
export const violationOfRemoval = (of: CollectionName, id: Id, drafts: Drafts): Error | undefined => {
  const isReferred = collectionNames.some((from) => {
    const { reference }: Constraints = constraints[from];
    const [field, to] = reference ?? [];
    return to === of && field !== undefined && drafts[from].having(field, id).length > 0;
  });
  return isReferred ? new ConstraintViolation(`Another resource refers to ${id}.`) : undefined;
};

const isSecondLivePayment = (payment: Payment, { payments }: Drafts): boolean =>
  Payment.isLive(payment) &&
  payments
    .having('orderId', payment.orderId)
    .some((other) => other.id !== payment.id && Payment.isLive(other));
