import { containsCredential } from '#adapters/support/credentials.ts';
import { snakeCase } from '#adapters/wire/codec.ts';
import { DecodeError, type DecodeErrorKind } from '#adapters/wire/json.ts';
import {
  ApplicationError,
  type ApplicationErrorKind,
  KeyReused,
  UnavailableError,
  type UnavailableReason,
} from '#application/errors.ts';
import { DomainError, type DomainErrorKind, type FieldError } from '#domain/errors.ts';

/** Errors in a request that HTTP itself defines, before any use case runs. */
export type HttpErrorKind =
  | 'bad-request'
  | 'unauthorized'
  | 'https-required'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'request-timeout'
  | 'rate-limited'
  | 'key-missing'
  | 'key-invalid';

/** A request that is rejected before it reaches a use case. */
export class HttpError extends Error {
  readonly kind: HttpErrorKind;
  /** Headers of this error response, besides the common ones. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: HttpErrorKind, message: string, headers: Readonly<Record<string, string>> = {}) {
    // No log prints the stack of a client's error, and capturing it costs more than the rest of the rejection.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'HttpError';
    this.kind = kind;
    this.headers = headers;
  }
}

export const routeNotFound = (): HttpError =>
  new HttpError('route-not-found', 'There is no resource at this path.');

interface StatusAndCode {
  readonly status: number;
  readonly code: string;
}

/** Every kind of error response; `internal` stands for an unexpected error. */
export type ErrorKind = DomainErrorKind | ApplicationErrorKind | DecodeErrorKind | HttpErrorKind | 'internal';

/** The one table from error kinds to statuses and codes. A new kind does not compile until it is listed here. */
export const statusAndCode = {
  'bad-request': { status: 400, code: 'BAD_REQUEST' },
  malformed: { status: 400, code: 'BAD_REQUEST' },
  'key-missing': { status: 400, code: 'IDEMPOTENCY_KEY_MISSING' },
  'key-invalid': { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  'https-required': { status: 403, code: 'HTTPS_REQUIRED' },
  'not-found': { status: 404, code: 'NOT_FOUND' },
  'route-not-found': { status: 404, code: 'NOT_FOUND' },
  'product-not-found': { status: 404, code: 'PRODUCT_NOT_FOUND' },
  'method-not-allowed': { status: 405, code: 'METHOD_NOT_ALLOWED' },
  'request-timeout': { status: 408, code: 'BAD_REQUEST' },
  conflict: { status: 409, code: 'CONFLICT' },
  'invalid-state': { status: 409, code: 'INVALID_STATE' },
  'out-of-stock': { status: 409, code: 'OUT_OF_STOCK' },
  'product-unavailable': { status: 409, code: 'PRODUCT_UNAVAILABLE' },
  'amount-exceeded': { status: 409, code: 'AMOUNT_EXCEEDED' },
  'key-in-progress': { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
  'events-forgotten': { status: 410, code: 'EVENTS_FORGOTTEN' },
  'precondition-failed': { status: 412, code: 'PRECONDITION_FAILED' },
  'payload-too-large': { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  'unsupported-media-type': { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  'expectation-failed': { status: 417, code: 'BAD_REQUEST' },
  validation: { status: 422, code: 'VALIDATION_ERROR' },
  'invalid-fields': { status: 422, code: 'VALIDATION_ERROR' },
  'key-reused': { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
  'payment-declined': { status: 422, code: 'PAYMENT_DECLINED' },
  'rate-limited': { status: 429, code: 'RATE_LIMITED' },
  'headers-too-large': { status: 431, code: 'BAD_REQUEST' },
  'provider-failed': { status: 502, code: 'UPSTREAM_FAILED' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
  'provider-timeout': { status: 504, code: 'UPSTREAM_TIMEOUT' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
} as const satisfies Record<ErrorKind, StatusAndCode>;

/** The codes that clients get for these kinds of error. */
export type CodeOf<Kind extends ErrorKind> = (typeof statusAndCode)[Kind]['code'];

/** The Retry-After header of these kinds, in seconds. */
const retryAfterSeconds: Partial<Record<ErrorKind, string>> = { 'key-in-progress': '1', unavailable: '1' };

/** After these, what became of the request is seen by its idempotency key. */
const monitoredKinds: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'key-in-progress',
  'provider-failed',
  'provider-timeout',
]);

export const hasMonitor = (kind: ErrorKind): boolean => monitoredKinds.has(kind);

export const isMonitored = (error: unknown): boolean =>
  error instanceof ApplicationError && hasMonitor(error.kind);

/** Whether this kind of error has a Retry-After header. The rate limiter computes its own. */
export const hasRetryAfter = (kind: ErrorKind): boolean =>
  kind === 'rate-limited' || kind in retryAfterSeconds;

/** The OpenAPI document promises at most this many entries in `details`. */
const maxDetails = 100;

/** In characters. Clients choose the names of unknown fields, and the response repeats them. */
const maxFieldLength = 200;

/** Shortens a field name from the client, and hides it when it contains a credential. */
const safeFieldName = (field: string): string => {
  if (containsCredential(field)) return '…';
  return field.length > maxFieldLength ? `${field.slice(0, maxFieldLength)}…` : field;
};

const differs = (field: string): FieldError => ({
  field: safeFieldName(field),
  message: 'differs from the first request with this key',
});

/** What a client may see of an error. `errorResponse` adds the id of the request. */
export interface PublicError extends StatusAndCode {
  readonly message: string;
  readonly details: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  /** For the log and the metrics. */
  readonly unavailableReason?: UnavailableReason;
}

/** Maps any thrown value to what the client may see. An unexpected error reveals nothing of itself. */
export const toPublicError = (error: unknown): PublicError => {
  if (error instanceof HttpError) {
    return { ...statusAndCode[error.kind], message: error.message, details: [], headers: error.headers };
  }
  if (error instanceof DecodeError) {
    const details = error.fieldErrors
      .slice(0, maxDetails)
      .map(({ field, message }) => ({ field: safeFieldName(field), message }));
    return { ...statusAndCode[error.kind], message: error.message, details, headers: {} };
  }
  if (error instanceof DomainError) {
    const details = error.fieldErrors
      .slice(0, maxDetails)
      .map(({ field, message }) => ({ field: snakeCase(field), message }));
    return { ...statusAndCode[error.kind], message: error.message, details, headers: {} };
  }
  if (error instanceof ApplicationError) {
    const seconds = retryAfterSeconds[error.kind];
    const headers: Record<string, string> = seconds === undefined ? {} : { 'Retry-After': seconds };
    const details = error instanceof KeyReused ? error.fields.slice(0, maxDetails).map(differs) : [];
    const problem = { ...statusAndCode[error.kind], message: error.message, details, headers };
    return error instanceof UnavailableError ? { ...problem, unavailableReason: error.reason } : problem;
  }
  return {
    ...statusAndCode.internal,
    message: 'Something went wrong on our side.',
    details: [],
    headers: {},
  };
};
