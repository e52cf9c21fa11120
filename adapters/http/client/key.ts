/**
 * A new idempotency key: 128 random bits.
 *
 * `crypto.randomUUID` is not there for pages that came over plain HTTP; this is.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
