import { errorOf } from '../errors.ts';

/** Returns the idempotency key of values. */
export interface KeyOf {
  (values: unknown): string;
  /**
   * Gets what the request with the last key was rejected with: behind a final error the same values are another try, which needs another
   * key.
   */
  readonly afterError: (error: unknown) => void;
}

/** Idempotency keys for what a person may try again: the same values get the same key, so that they happen once. */
export const createKeys = (): KeyOf => {
  const keys = new Map<string, string>();
  let last = '';
  const keyOf = (values: unknown): string => {
    last = JSON.stringify(values);
    const key = keys.get(last) ?? crypto.randomUUID();
    keys.set(last, key);
    return key;
  };
  const afterError = (error: unknown): void => {
    if (isFinal(error)) keys.delete(last);
  };
  return Object.assign(keyOf, { afterError });
};

/** Whether the API has kept this error as the response to the key: it would repeat it whatever has changed since. */
const isFinal = (error: unknown): boolean => {
  const { status, code } = errorOf(error);
  return (
    status === 404 ||
    code === 'PAYMENT_DECLINED' ||
    (status === 409 && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS')
  );
};
