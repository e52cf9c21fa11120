/** Pages on plain HTTP have no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * Idempotency keys as a careful client makes them: each request has a key of its own. The same request has the same key again,
 * so that sending it twice shows the replay, and an edited one gets another key.
 */
export const createKeys = () => {
  /** The keys of the requests that were sent. */
  const sent = new Map<string, string>();
  let next = newKey();
  return {
    /** @param request its method, URL and body, as one text */
    keyFor: (request: string): string => sent.get(request) ?? next,
    markSent: (request: string): void => {
      if (sent.has(request)) return;
      sent.set(request, next);
      next = newKey();
    },
    renew: (request: string): void => {
      sent.delete(request);
      next = newKey();
    },
  };
};
