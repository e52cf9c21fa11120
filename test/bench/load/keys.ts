import { randomUUID } from 'node:crypto';
import { newIdempotencyKey } from '#adapters/http/client/build-request.ts';

/** Placeholders in requests, and how the key for each is made. */
const kinds: readonly (readonly [string, () => string])[] = [
  ['{key}', randomUUID],
  ['{later key}', newIdempotencyKey],
];

/** @returns the request with new keys in place of its placeholders */
export const withKey = (text: string): string => {
  const [mark, made] = kinds.find(([each]) => text.includes(each)) ?? [];
  return mark === undefined || made === undefined ? text : text.replace(mark, made());
};
