import type { ReceivedResponse } from './request.ts';

interface NextStep {
  readonly operation: string;
  readonly tag: string;
  readonly label: string;
}

/** What has become of a request, in words. */
export interface Outcome {
  readonly isSuccess: boolean;
  readonly sentences: readonly string[];
  readonly error: ApiError | undefined;
  readonly next: NextStep | undefined;
}

/** An error of the API. */
interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

/** What a status means, in plain words. */
const meanings: Readonly<Record<number, string>> = {
  200: 'It worked.',
  201: 'It was created.',
  202: 'It was accepted, and goes on.',
  204: 'It worked. This response has no body.',
  304: 'You have the latest version already, so nothing was sent again.',
  400: 'The server cannot read this request.',
  401: 'The key is missing, unknown or revoked.',
  403: 'This key may not do that.',
  404: 'There is no such thing, or this key may not see it.',
  409: 'It does not fit to what has happened before.',
  410: 'It is no longer kept.',
  412: 'It has another version than your condition names. Read it again.',
  413: 'The body is too long.',
  415: 'The body is not of a type that this operation takes.',
  422: 'A value does not fit.',
  429: 'Too many requests.',
  500: 'The server failed. Its log says why.',
  502: 'The payment provider failed.',
  503: 'The server cannot do it now. Send it again in a while.',
  504: 'The payment provider has not responded in time.',
};

/** The next step after a successful operation. */
const nextSteps: Readonly<Record<string, NextStep>> = {
  listProducts: { operation: 'createOrder', tag: 'orders', label: 'Order it' },
  createOrder: { operation: 'createPayment', tag: 'payments', label: 'Pay it' },
  createPayment: { operation: 'getPayment', tag: 'payments', label: 'Look it up' },
};

/**
 * Describes the outcome of a request.
 * @param response status, headers, and the body where it is JSON
 * @param advice what to do about this request, beyond what its status means
 */
export const outcomeOf = (
  { status, headers, json }: Pick<ReceivedResponse, 'status' | 'headers' | 'json'>,
  operationId: string,
  advice: string | undefined,
): Outcome => ({
  isSuccess: status < 400,
  sentences: [
    headers.get('Idempotent-Replayed') === 'true'
      ? 'The stored response of this key, replayed. Nothing was executed again.'
      : (meanings[status] ?? (status < 400 ? 'It worked.' : 'It did not work.')),
    ...waitTime(status, headers),
    ...(advice === undefined ? [] : [advice]),
  ],
  error: errorIn(json),
  next: status < 300 ? nextSteps[operationId] : undefined,
});

const waitTime = (status: number, headers: Headers): readonly string[] => {
  const seconds = headers.get('Retry-After');
  return status >= 400 && seconds !== null ? [`Wait ${seconds} s.`] : [];
};

/** The code, the message and the fields of an error of the API; undefined for anything else. */
const errorIn = (json: ReceivedResponse['json']): ApiError | undefined => {
  const { code, message = '', details } = json?.error ?? {};
  if (typeof code !== 'string') return undefined;
  return { code, message, details: Array.isArray(details) ? details : [] };
};
