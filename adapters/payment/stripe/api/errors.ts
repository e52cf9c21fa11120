import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { Failure } from '#domain/payment.ts';

const { StripeError, StripeCardError, StripeConnectionError, StripeInvalidRequestError } = Stripe.errors;

/** The outcome of a request to Stripe. */
export type Attempt<T> =
  | { readonly made: T }
  /** `isFinal` when every other request for the same charge would be declined too. */
  | { readonly declined: Failure; readonly isFinal: boolean }
  /** The idempotency key was already used for another request, whose outcome the response does not show. */
  | { readonly keyUsed: true };

/** @throws the SDK's error when the outcome is unknown */
export const attempt = async <T>(request: Promise<T>): Promise<Attempt<T>> => {
  try {
    return { made: await request };
  } catch (error) {
    if (isKeyUsed(error)) return { keyUsed: true };
    const declined = failureOf(error);
    if (declined !== undefined) return { declined, isFinal: concernsCharge(error) };
    throw error;
  }
};

/**
 * Why Stripe rejected a request for good.
 * https://docs.stripe.com/error-handling
 * @returns undefined when the outcome is unknown, or a retry may succeed
 */
const failureOf = (error: unknown): Failure | undefined => {
  if (error instanceof StripeCardError) {
    return { code: error.decline_code || error.code || 'card_declined', message: error.message };
  }
  // A 404 without `resource_missing` is about the URL, not about the charge.
  const isPermanent =
    error instanceof StripeInvalidRequestError &&
    (error.statusCode !== 404 || error.code === 'resource_missing');
  return isPermanent ? { code: error.code ?? 'invalid_request', message: error.message } : undefined;
};

/** Whether Stripe rejected the card, the amount, the currency, or what the key stands for: no other request can succeed. */
const concernsCharge = (error: unknown): boolean =>
  error instanceof StripeCardError ||
  (error instanceof StripeError &&
    (isReplayed(error.headers) || error.param === 'amount' || error.param === 'currency'));

/**
 * Whether every retry would get the same error: the key belongs to another request, or to a failure that Stripe stored.
 * https://docs.stripe.com/api/idempotent_requests
 */
const isKeyUsed = (error: unknown): boolean => {
  if (!(error instanceof StripeError)) return false;
  const { statusCode = 0, rawType, code } = error;
  return (
    (rawType === 'idempotency_error' && statusCode === 400 && code !== 'idempotency_key_in_use') ||
    (statusCode >= 500 && isReplayed(error.headers))
  );
};

/** Whether a response is a replay. @param headers of the response */
export const isReplayed = (headers: Readonly<Record<string, unknown>> | undefined): boolean =>
  headers?.['idempotent-replayed'] === 'true';

/** @returns undefined when Stripe has no such object. @throws every other error */
export const known = async <T>(request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof StripeInvalidRequestError && error.code === 'resource_missing') return undefined;
    throw error;
  }
};

/**
 * The error for an unknown outcome. An SDK error contains headers and the response, so only a redacted cause with the
 * fields that an operator needs is attached.
 */
export const unknownOutcome = (error: unknown, redact: (text: string) => string): ApplicationError => {
  if (error instanceof ApplicationError) return error;
  const cause = causeOf(error, redact);
  return 'code' in cause && cause.code === Stripe.HttpClient.TIMEOUT_ERROR_CODE
    ? new ApplicationError('provider-timeout', 'The payment provider did not respond in time.', cause)
    : new ApplicationError('provider-failed', 'The payment provider failed.', cause);
};

const causeOf = (error: unknown, redact: (text: string) => string): Error => {
  if (!(error instanceof Error)) return new Error('A value was thrown that is not an error.');
  if (!(error instanceof StripeError)) {
    const { message, stack = '' } = error;
    return Object.assign(new Error(redact(message)), { stack: redact(stack) });
  }
  const reason = error instanceof StripeConnectionError ? connectionErrorOf(error.detail) : {};
  const { type, code, statusCode: status, requestId } = error;
  return Object.assign(new Error(redact(reason.message ?? error.message)), {
    type,
    code: reason.code ?? code,
    status,
    requestId,
  });
};

/** Why there was no response. */
const connectionErrorOf = (detail: unknown): { readonly message?: string; readonly code?: string } => {
  if (!(detail instanceof Error)) return {};
  const { message, code } = detail as NodeJS.ErrnoException;
  return { message, ...(code !== undefined && { code }) };
};
