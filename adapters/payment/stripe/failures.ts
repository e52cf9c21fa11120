import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { Failure } from '#domain/payment.ts';

const { StripeError, StripeCardError, StripeConnectionError, StripeInvalidRequestError } = Stripe.errors;

/**
 * Why Stripe will never do what it was asked for; undefined when it may yet, or has perhaps.
 * https://docs.stripe.com/error-handling
 */
export const refusalIn = (error: unknown): Failure | undefined => {
  if (error instanceof StripeCardError) {
    return { code: error.decline_code || error.code || 'card_declined', message: error.message };
  }
  // An address that it does not have says nothing of what was asked for there.
  const isForGood =
    error instanceof StripeInvalidRequestError &&
    (error.statusCode !== 404 || error.code === 'resource_missing');
  return isForGood ? { code: error.code ?? 'invalid_request', message: error.message } : undefined;
};

/** Whether it is the card, the amount or the currency that was refused, or what the key stands for, however it was asked. */
export const isAboutTheCharge = (error: unknown): boolean =>
  error instanceof StripeCardError ||
  (error instanceof StripeError &&
    (isReplayed(error.headers) || error.param === 'amount' || error.param === 'currency'));

/**
 * Whether no repetition will ever be answered otherwise: the key stands for another request, or for a failure that Stripe
 * has stored. https://docs.stripe.com/api/idempotent_requests
 */
export const isKeySpent = (error: unknown): boolean => {
  if (!(error instanceof StripeError)) return false;
  const { statusCode = 0, rawType, code } = error;
  return (
    (rawType === 'idempotency_error' && statusCode === 400 && code !== 'idempotency_key_in_use') ||
    (statusCode >= 500 && isReplayed(error.headers))
  );
};

/** @param headers of an answer */
export const isReplayed = (headers: Readonly<Record<string, unknown>> | undefined): boolean =>
  headers?.['idempotent-replayed'] === 'true';

/**
 * What is thrown when the outcome is not known. Errors of the SDK carry headers and all that was answered, so they go no
 * further; their cause tells what an operator needs.
 */
export const openOutcome = (error: unknown, hide: (text: string) => string): ApplicationError => {
  if (error instanceof ApplicationError) return error;
  const cause = causeOf(error, hide);
  return 'code' in cause && cause.code === Stripe.HttpClient.TIMEOUT_ERROR_CODE
    ? new ApplicationError('provider-timeout', 'The payment provider did not answer in time.', cause)
    : new ApplicationError('provider-failed', 'The payment provider failed.', cause);
};

const causeOf = (error: unknown, hide: (text: string) => string): Error => {
  if (!(error instanceof Error)) return new Error('Something was thrown that is no error.');
  if (!(error instanceof StripeError)) {
    const { message, stack = '' } = error;
    return Object.assign(new Error(hide(message)), { stack: hide(stack) });
  }
  const reason = error instanceof StripeConnectionError ? reasonOf(error.detail) : {};
  const { type, code, statusCode: status, requestId } = error;
  return Object.assign(new Error(hide(reason.message ?? error.message)), {
    type,
    code: reason.code ?? code,
    status,
    requestId,
  });
};

/** Why there was no answer. */
const reasonOf = (detail: unknown): { readonly message?: string; readonly code?: string } => {
  if (!(detail instanceof Error)) return {};
  const { message, code } = detail as NodeJS.ErrnoException;
  return { message, ...(code !== undefined && { code }) };
};
