// @ts-nocheck
/**
 * Idempotency keys for what a person may try again: the same values get the same key, so that they happen once.
 * @returns the key of values. Its `afterError` gets what the request with the last key was rejected with: behind a final error the
 * same values are another try, which needs another key
 */
export const createKeys = () => {
  const keys = new Map();
  let last: unknown;
  const keyOf = (values) => {
    last = JSON.stringify(values);
    if (!keys.has(last)) keys.set(last, crypto.randomUUID());
    return keys.get(last);
  };
  keyOf.afterError = (error) => {
    if (isFinal(error)) keys.delete(last);
  };
  return keyOf;
};

/** Whether the API has kept this error as the response to the key: it would repeat it whatever has changed since. */
const isFinal = ({ status, code }) =>
  status === 404 || code === 'PAYMENT_DECLINED' || (status === 409 && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS');
