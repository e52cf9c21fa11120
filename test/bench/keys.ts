import { randomUUID } from 'node:crypto';
import { newIdempotencyKey } from '#adapters/http/client/idempotency-key.ts';

/** What stands in a request for a key that nobody has used, and how such a one is made. */
const kinds: readonly (readonly [string, () => string])[] = [
  ['{key}', randomUUID],
  ['{later key}', newIdempotencyKey],
];

/** @returns the request as it goes over the wire, with another key each time where it has one */
export const withKey = (text: string): string => {
  const [mark, made] = kinds.find(([each]) => text.includes(each)) ?? [];
  return mark === undefined || made === undefined ? text : text.replace(mark, made());
};
