import type { CodeOf, ErrorKind } from '../errors.ts';

export type Code = CodeOf<ErrorKind>;

interface Explained {
  /** What whoever meets it is to do. */
  readonly remedy: string;
  /** A message that goes with it, and the fields that it is about. */
  readonly message: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

const code = (remedy: string, message: string, ...details: NonNullable<Explained['details']>): Explained => ({
  remedy,
  message,
  ...(details.length > 0 && { details }),
});

const notValid = { field: 'quantity', message: 'must be greater than 0' };
const taken = { field: 'sku', message: 'is taken already' };

/** Every code, as the API's description explains it. A new code does not compile until it stands here. */
export const codes: Readonly<Record<Code, Explained>> = {
  BAD_REQUEST: code(
    'Mend the request: broken JSON, UTF-8 or percent-encoding, a name or header twice, too slow or too much in its headers.',
    'The body is not valid JSON.',
  ),
  IDEMPOTENCY_KEY_MISSING: code(
    'Make a key for what is to be done, and send it.',
    'This request needs an Idempotency-Key header.',
  ),
  IDEMPOTENCY_KEY_INVALID: code(
    'Send a key of 1 to 255 visible ASCII characters.',
    'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  ),
  UNAUTHORIZED: code('Show a valid API key or access token.', 'Authentication is required.'),
  FORBIDDEN: code(
    'Use a key whose role and scopes suffice; or it is not yours.',
    'Insufficient permissions.',
  ),
  HTTPS_REQUIRED: code('Use `https://`.', 'This service is reached by HTTPS only.'),
  NOT_FOUND: code('Check the address and the ids in path and body.', 'The resource does not exist.'),
  PRODUCT_NOT_FOUND: code(
    "Check the product's id in path or body; customers do not see every product.",
    'The product does not exist.',
  ),
  METHOD_NOT_ALLOWED: code('Use a method from `Allow`.', 'PUT is not possible here.'),
  CONFLICT: code(
    'There is one already (see `details`), or the user to be deleted has orders.',
    'Another resource has the same value.',
    taken,
  ),
  INVALID_STATE: code(
    'Read the resource again; in its state this is not possible.',
    'The order is paid; this needs one that is pending.',
  ),
  OUT_OF_STOCK: code('Order less, or later.', 'There is not enough in stock.'),
  PRODUCT_UNAVAILABLE: code(
    'It cannot be ordered now. Choose something else.',
    'The product cannot be ordered now.',
  ),
  AMOUNT_EXCEEDED: code('Refund no more than is left.', 'The refunds of a payment cannot exceed it.'),
  IDEMPOTENCY_KEY_IN_PROGRESS: code(
    'Wait as `Retry-After` says; send the same with the same key.',
    'The first request with this idempotency key is still running.',
  ),
  PRECONDITION_FAILED: code(
    'Read again, merge, send the new version.',
    'The resource has changed since you last saw it.',
  ),
  PAYLOAD_TOO_LARGE: code('Send at most 100 KiB.', 'The body must have at most 100 KiB.'),
  UNSUPPORTED_MEDIA_TYPE: code(
    'Send JSON in UTF-8, uncompressed, and say so in `Content-Type`.',
    'The body must be application/json.',
  ),
  VALIDATION_ERROR: code('Mend the fields in `details`.', 'Some fields are not valid.', notValid),
  IDEMPOTENCY_KEY_REUSED: code(
    'This is another request: make a new key.',
    'The idempotency key stands for another request.',
  ),
  PAYMENT_DECLINED: code('Ask for another means of payment; make a new key.', 'The card was declined.'),
  RATE_LIMITED: code('Wait as `Retry-After` says.', 'Too many requests: wait 60 seconds.'),
  INTERNAL_ERROR: code(
    'Our fault. Retry with the same key; report the `request_id` if it stays.',
    'Something went wrong on our side.',
  ),
  UPSTREAM_FAILED: code(
    'The payment provider failed. Retry with the same key.',
    'The payment provider failed.',
  ),
  UPSTREAM_TIMEOUT: code(
    'The payment provider was late. Retry with the same key.',
    'The payment provider did not answer in time.',
  ),
  SERVICE_UNAVAILABLE: code(
    'Away or too busy. Wait as `Retry-After` says; retry with the same key.',
    'The store is away.',
  ),
};
