import { hash } from 'node:crypto';
import { containsCredential, containsOwnCredential } from '#adapters/support/credentials.ts';
import { canonicalJson } from '#adapters/wire/json.ts';
import { HttpError } from '../errors.ts';
import { canonicalQuery } from './list-query.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * Validates the Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header).
 * @param authorization the Authorization header, whose credential must not be the key
 * @returns undefined when the header is absent and not required
 * @throws HttpError 'key-missing', 'key-invalid'
 */
export const parseIdempotencyKey = (
  header: string | undefined,
  isRequired: boolean,
  authorization?: string,
): string | undefined => {
  if (header === undefined) {
    if (isRequired) throw keyMissing();
    return undefined;
  }
  if (!keyPattern.test(header)) {
    throw new HttpError(
      'key-invalid',
      'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
    );
  }
  if (containsCredential(header) || containsOwnCredential(header, authorization)) {
    throw new HttpError(
      'key-invalid',
      'The Idempotency-Key header must not contain a credential, because it is stored for a day. Send a random value, such as a UUID.',
    );
  }
  return header;
};

const keyMissing = (): HttpError =>
  new HttpError('key-missing', 'This request needs an Idempotency-Key header.');

/** What tells requests with one key apart. */
interface FingerprintParts {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly body: unknown;
}

/**
 * A hash of method, path, query and body. The body may hold a card token, so only its hash is stored. Without a query it is what
 * earlier releases have stored, so their keys still replay.
 */
export const fingerprintOf = ({ method, path, query, body }: FingerprintParts): string => {
  const parameters = canonicalQuery(query);
  const target = parameters === '' ? path : `${path}?${parameters}`;
  return hash('sha256', `${method} ${target}\n${canonicalJson(body)}`);
};
