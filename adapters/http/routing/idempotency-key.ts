import { hash } from 'node:crypto';
import { canonicalJson } from '#adapters/wire/json.ts';
import { HttpError } from '../errors.ts';
import { isLikeCredential } from '../request/credential-pattern.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The Idempotency-Key of a request to a route that takes one; undefined when there is none and none is needed.
 * @param authorization what the request shows of who sends it, whatever form that has
 * @throws HttpError 'key-missing', 'key-invalid'
 */
export const parseIdempotencyKey = (
  header: string | undefined,
  isRequired: boolean,
  authorization = '',
): string | undefined => {
  if (header === undefined) {
    if (isRequired) throw keyMissing();
    return undefined;
  }
  if (!keyPattern.test(header)) {
    throw new HttpError('key-invalid', 'An Idempotency-Key has 1 to 255 visible ASCII characters.');
  }
  if (isLikeCredential(header) || authorization.endsWith(` ${header}`)) {
    throw new HttpError(
      'key-invalid',
      'An Idempotency-Key is kept for a day, so it must not be a credential.',
    );
  }
  return header;
};

const keyMissing = (): HttpError =>
  new HttpError('key-missing', 'This request needs an Idempotency-Key header.');

/** What a request asks for, in 64 characters. The body may hold a card's token, so only its hash is kept. */
export const fingerprintOf = (method: string, address: string, body: unknown): string =>
  hash('sha256', `${method} ${address}\n${canonicalJson(body)}`);
