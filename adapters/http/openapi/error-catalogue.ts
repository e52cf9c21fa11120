import type { CodeOf, ErrorKind } from '../errors.ts';

export type ErrorCode = CodeOf<ErrorKind>;

interface CatalogueEntry {
  /** What whoever meets it is to do. */
  readonly advice: string;
  /** A message that goes with it, and the fields that it is about. */
  readonly message: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

const entry = (
  remedy: string,
  message: string,
  ...details: NonNullable<CatalogueEntry['details']>
): CatalogueEntry => ({
  advice: remedy,
  message,
  ...(details.length > 0 && { details }),
});

const notValid = { field: 'quantity', message: 'must be greater than 0' };
const taken = { field: 'sku', message: 'is taken already' };

/** Every code, as the API's description explains it. A new code does not compile until it stands here. */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  BAD_REQUEST: entry(
    'Mend the request: broken JSON, UTF-8 or percent-encoding, a name or header twice, too slow or too much in its headers.',
    'The body is not valid JSON.',
  ),
  IDEMPOTENCY_KEY_MISSING: entry(
    'Make a key for what is to be done, and send it.',
    'This request needs an Idempotency-Key header.',
  ),
  IDEMPOTENCY_KEY_INVALID: entry(
    'Send a key of 1 to 255 visible ASCII characters.',
    'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  ),
  UNAUTHORIZED: entry('Show a valid API key or access token.', 'Authentication is required.'),
  FORBIDDEN: entry(
    'Use a key whose role and scopes suffice; or it is not yours.',
    'The credential lacks the scope products:write.',
  ),
  HTTPS_REQUIRED: entry('Use `https://`.', 'Plain HTTP is not accepted. Use HTTPS.'),
  NOT_FOUND: entry('Check the address and the ids in path and body.', 'The resource does not exist.'),
  PRODUCT_NOT_FOUND: entry(
    "Check the product's id in path or body; customers do not see every product.",
    'The product does not exist.',
  ),
  METHOD_NOT_ALLOWED: entry('Use a method from `Allow`.', 'PUT is not supported at this path.'),
  CONFLICT: entry(
    'There is one already (see `details`), or the user to be deleted has orders.',
    'Another resource has the same value.',
    taken,
  ),
  INVALID_STATE: entry(
    'Read the resource again; in its state this is not possible.',
    'The order is paid. This requires a pending order.',
  ),
  OUT_OF_STOCK: entry('Order less, or later.', 'There is not enough in stock.'),
  PRODUCT_UNAVAILABLE: entry(
    'It cannot be ordered now. Choose something else.',
    'The product cannot be ordered now.',
  ),
  AMOUNT_EXCEEDED: entry(
    'Refund no more than is left.',
    'The amount exceeds what is left to refund of the payment.',
  ),
  IDEMPOTENCY_KEY_IN_PROGRESS: entry(
    'Wait as `Retry-After` says; send the same with the same key.',
    'The first request with this idempotency key is still running.',
  ),
  PRECONDITION_FAILED: entry(
    'Read again, merge, send the new version.',
    'The resource has changed since you last read it. Read it again, then repeat the change.',
  ),
  PAYLOAD_TOO_LARGE: entry('Send at most 100 KiB.', 'The body must have at most 100 KiB.'),
  UNSUPPORTED_MEDIA_TYPE: entry(
    'Send JSON in UTF-8, uncompressed, and say so in `Content-Type`.',
    'The body must be application/json.',
  ),
  VALIDATION_ERROR: entry('Mend the fields in `details`.', 'Some fields are not valid.', notValid),
  IDEMPOTENCY_KEY_REUSED: entry(
    'This is another request: make a new key.',
    'The idempotency key was already used for a different request. Use a new key.',
  ),
  PAYMENT_DECLINED: entry('Ask for another means of payment; make a new key.', 'The card was declined.'),
  RATE_LIMITED: entry('Wait as `Retry-After` says.', 'Too many requests: wait 60 seconds.'),
  INTERNAL_ERROR: entry(
    'Our fault. Retry with the same key; report the `request_id` if it stays.',
    'Something went wrong on our side.',
  ),
  UPSTREAM_FAILED: entry(
    'The payment provider failed. Retry with the same key.',
    'The payment provider failed.',
  ),
  UPSTREAM_TIMEOUT: entry(
    'The payment provider was late. Retry with the same key.',
    'The payment provider did not answer in time.',
  ),
  SERVICE_UNAVAILABLE: entry(
    'Away or too busy. Wait as `Retry-After` says; retry with the same key.',
    'The database is unavailable.',
  ),
};
