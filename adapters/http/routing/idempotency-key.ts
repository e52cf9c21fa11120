import { hash } from 'node:crypto';
import { containsCredential, containsOwnCredential } from '#adapters/support/credentials.ts';
import { canonicalJson } from '#adapters/wire/json.ts';
import { HttpError } from '../errors.ts';
import { canonicalQuery } from './list-query.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

export const isIdempotencyKey = (text: string): boolean => keyPattern.test(text);

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
  if (!isIdempotencyKey(header)) {
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

/**
 * Where the keys of a request can be looked up (RFC 8288; `monitor` is registered by RFC 5989).
 * @param version of the API: `v1`
 */
export const monitorLink = (version: string, key: string): string =>
  `</${version}/idempotency-keys?key=${encodeURIComponent(key)}>; rel="monitor"`;

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

/** The characters of six bytes in base64url. */
const fieldHashLength = 8;

/**
 * Hashes each top-level field of a body, keyed with the idempotency key and the salt of its record. So equal values of two records
 * have different hashes. A card token, which only the client and the provider know, cannot be found from six bytes.
 * @param owner the user and the idempotency key
 */
export const fieldHasher =
  (owner: string, body: unknown) =>
  (salt: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(typeof body === 'object' && body !== null ? body : {}).map(([name, value]) => [
        name,
        hash('sha256', `${salt} ${owner} ${name}\n${canonicalJson(value)}`, 'base64url').slice(
          0,
          fieldHashLength,
        ),
      ]),
    );
