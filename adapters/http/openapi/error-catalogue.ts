import type { Schema } from '#adapters/wire/codec.ts';
import type { CodeOf, ErrorKind } from '../errors.ts';
import { headers } from './headers.ts';
import { exampleOf, strictObjectSchema } from './schemas.ts';

export type ErrorCode = CodeOf<ErrorKind>;

interface CatalogueEntry {
  /** What a client should do. docs/api.md has the same words. */
  readonly advice: string;
  /** An example of the message, and of the fields that it is about. */
  readonly message: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

const entry = (
  advice: string,
  message: string,
  ...details: NonNullable<CatalogueEntry['details']>
): CatalogueEntry => ({
  advice,
  message,
  ...(details.length > 0 && { details }),
});

const notValid = { field: 'quantity', message: 'must be greater than 0' };
const duplicate = { field: 'sku', message: 'is taken already' };

/** Every error code, with advice for clients. A new code does not compile until it is listed here. */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  BAD_REQUEST: entry(
    'Fix the request: invalid JSON, UTF-8 or percent-encoding, a duplicate name or header, headers too large, or sent too slowly.',
    'The body is not valid JSON.',
  ),
  IDEMPOTENCY_KEY_MISSING: entry(
    'Generate an idempotency key for this operation and send it.',
    'This request needs an Idempotency-Key header.',
  ),
  IDEMPOTENCY_KEY_INVALID: entry(
    'Send a key of 1 to 255 visible ASCII characters that contains no credential.',
    'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  ),
  UNAUTHORIZED: entry(
    'Send a valid API key or access token.',
    'The API key or access token is missing, unknown or expired. Send a valid one as `Authorization: Bearer <key>`. The operator of this server creates keys.',
  ),
  FORBIDDEN: entry(
    'Use a credential with the required role and scopes, or of the user who owns the resource.',
    'The credential lacks the scope products:write.',
  ),
  HTTPS_REQUIRED: entry('Use `https://`.', 'Plain HTTP is not accepted. Use HTTPS.'),
  NOT_FOUND: entry('Check the URL, and the ids in the path and the body.', 'The resource does not exist.'),
  PRODUCT_NOT_FOUND: entry(
    'Check the product id in the path or the body. Customers see active products only.',
    'The product does not exist.',
  ),
  METHOD_NOT_ALLOWED: entry(
    'Use a method that `Allow` lists.',
    'PUT is not supported at this path. It supports OPTIONS, HEAD, GET, POST.',
  ),
  CONFLICT: entry(
    'Use another value for the field in `details`. On `expected_refunded`: read the payment again and decide anew, with a new key. A user with orders cannot be deleted, and an order has at most 200 items.',
    'Another resource has the same value.',
    duplicate,
  ),
  INVALID_STATE: entry(
    'Read the resource again. Its status does not allow this operation, and the message names what can be done instead.',
    'The order is paid. This requires a pending order. Staff can refund its payment; place a new order for what else is wanted.',
  ),
  OUT_OF_STOCK: entry('Order a smaller quantity, or try again later.', 'There is not enough in stock.'),
  PRODUCT_UNAVAILABLE: entry(
    'Order another product. This one cannot be ordered now.',
    'The product cannot be ordered now.',
  ),
  AMOUNT_EXCEEDED: entry(
    'Refund or capture at most the amount that is left.',
    'The amount exceeds what is left to refund of the payment, which is 350 in the minor unit of EUR.',
  ),
  IDEMPOTENCY_KEY_IN_PROGRESS: entry(
    'Wait for the seconds in `Retry-After`, then send the same request with the same key.',
    'The first request with this idempotency key is still running. Wait, then send the same request with the same key.',
  ),
  EVENTS_FORGOTTEN: entry(
    'Read the resources again, then go on with a `resume_cursor` that you got before that. Events that you have not read are deleted, or the data were restored or set back.',
    'Events after this cursor are no longer kept.',
    { field: 'cursor', message: 'is older than the events that are kept' },
  ),
  PRECONDITION_FAILED: entry(
    'Read the resource again, apply your change to it, and send its new version.',
    'The resource is at another version than the request asks for. Read it again, then repeat the request with its ETag, quotes included.',
  ),
  PAYLOAD_TOO_LARGE: entry('Send at most 100 KiB.', 'The body must have at most 100 KiB.'),
  UNSUPPORTED_MEDIA_TYPE: entry(
    'Send uncompressed JSON in UTF-8, with a matching `Content-Type`.',
    'The body must be application/json.',
  ),
  VALIDATION_ERROR: entry('Fix the fields in `details`.', 'Some fields are not valid.', notValid),
  IDEMPOTENCY_KEY_REUSED: entry(
    'The key was used for another request. For payments and refunds, `details` names what differs. Generate a new key.',
    'The idempotency key was already used for a different request. Use a new key.',
    { field: 'payment_method', message: 'differs from the first request with this key' },
  ),
  PAYMENT_DECLINED: entry(
    'Ask for another payment method, and generate a new key.',
    'The card was declined.',
  ),
  RATE_LIMITED: entry(
    'Wait for the seconds in `Retry-After`, then retry.',
    'Too many requests: wait 60 seconds.',
  ),
  INTERNAL_ERROR: entry(
    'Retry with the same key. If the error stays, report the `request_id`.',
    'Something went wrong on our side.',
  ),
  UPSTREAM_FAILED: entry(
    'The payment provider failed. Retry with the same key.',
    'The payment provider failed.',
  ),
  UPSTREAM_TIMEOUT: entry(
    'The payment provider did not respond in time. Retry with the same key.',
    'The payment provider did not respond in time.',
  ),
  SERVICE_UNAVAILABLE: entry(
    'The server is overloaded or its database is unavailable. Wait for the seconds in `Retry-After`, then retry with the same key.',
    'The database is unavailable.',
  ),
};

const fieldErrorSchema: Schema = {
  title: 'FieldFault',
  ...strictObjectSchema({
    field: {
      type: 'string',
      maxLength: 102_400,
      description:
        'The name of the invalid field, as the request spells it. Names of nested fields are dotted.',
    },
    message: {
      type: 'string',
      maxLength: 1_000,
      pattern: '^.+$',
      description: 'What is wrong with the field.',
    },
  }),
};

/** The body of an error response with one of these codes. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema =>
  strictObjectSchema({
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: codes, description: 'The error code. Branch on it.' },
        message: {
          type: 'string',
          maxLength: 5_000,
          pattern: '^[^\\u0000]+$',
          description: 'The error for people. Its wording may change.',
        },
        details: {
          type: 'array',
          items: fieldErrorSchema,
          maxItems: 100,
          description: 'The invalid fields, if the error is about fields.',
        },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
    request_id: { ...headers['X-Request-Id'].schema, description: 'Quote it when you ask for help.' },
  });

/** An example response for each code, with the advice as its summary. */
export const errorExamples = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((code) => {
      const { advice, message, details } = errorCatalogue[code];
      const error = { code, message, ...(details && { details }) };
      return [
        code,
        { summary: advice, value: { error, request_id: exampleOf(headers['X-Request-Id'].schema) } },
      ];
    }),
  );
