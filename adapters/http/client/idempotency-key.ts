/** Twelve digits last until the year 10889. */
const timeDigits = 12;

/**
 * A new idempotency key: the time in milliseconds, then 80 random bits, all in hexadecimal. Keys that ascend stand side by side in
 * the index by which they are found, and to write them down costs a server much less than keys in no order.
 *
 * `crypto.randomUUID` is not there for pages that came over plain HTTP; this is.
 */
export const newIdempotencyKey = (): string => {
  const time = Date.now().toString(16).padStart(timeDigits, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return time + random.join('');
};
