/** Hexadecimal digits for the milliseconds since 1970, enough until the year 10889. */
const timeDigits = 12;

/**
 * Generates an idempotency key: the time in milliseconds, then 80 random bits, in hexadecimal. Ascending keys are adjacent in
 * the server's index, which makes them cheaper to insert than random ones.
 *
 * `crypto.randomUUID` is missing in pages loaded over plain HTTP, so this uses `crypto.getRandomValues`.
 */
export const newIdempotencyKey = (): string => {
  const time = Date.now().toString(16).padStart(timeDigits, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return time + random.join('');
};
