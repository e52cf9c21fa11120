/** An invalid field. Names of nested fields are dotted, as in `price.amount`. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

interface PorticoErrorOptions {
  /** 0 when no response arrived, or when a browser hides a redirect. */
  readonly status: number;
  readonly details?: readonly FieldFault[] | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call failed. Branch on the code; the message is for people and may change. */
export class PorticoError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;
  /** The invalid fields. */
  readonly details: readonly FieldFault[];
  readonly requestId: string | undefined;
  /** Send the request again with this key when the response is not final. */
  readonly idempotencyKey: string | undefined;
  /** The Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, options: PorticoErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'PorticoError';
    this.code = code;
    this.status = options.status;
    this.details = options.details ?? [];
    this.requestId = options.requestId;
    this.idempotencyKey = options.idempotencyKey;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /**
   * Whether the same request would get the same response again. If not, it is unknown whether the request was processed, and
   * the client retries with the same idempotency key.
   */
  get isFinal(): boolean {
    if (this.status >= 500 || retryableStatuses.has(this.status)) return false;
    if (this.code === 'UNREADABLE') return this.status < 200 || this.status > 299;
    return this.code !== 'UNREACHABLE' && this.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';
  }
}

/** The feed cannot go on at a cursor: events after it may be gone. Nothing was skipped; go on from a place of your choice. */
export class EventsForgottenError extends PorticoError<'EVENTS_FORGOTTEN'> {
  constructor({ message, status, details, requestId }: PorticoError) {
    const advice =
      "Get a new cursor with start: 'latest', store it, read the lists that you copy from their beginning, then go on at that cursor.";
    super('EVENTS_FORGOTTEN', `${message} ${advice}`, { status, details, requestId });
    this.name = 'EventsForgottenError';
  }
}

/** Request Timeout and Too Many Requests. */
const retryableStatuses = new Set([408, 429]);
