/** One field at fault; nested fields are dotted, as in `price.amount`. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

interface PorticoErrorOptions {
  /** 0 where there is none: no answer came, or a browser keeps a redirection to itself. */
  readonly status: number;
  readonly details?: readonly FieldFault[] | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call came to nothing. The code is to switch on; the message is for people, and may be reworded. */
export class PorticoError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;
  /** The fields at fault. */
  readonly details: readonly FieldFault[];
  readonly requestId: string | undefined;
  /** To go on with, when the answer is not final. */
  readonly idempotencyKey: string | undefined;
  /** How long the server asks to be left alone. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, circumstances: PorticoErrorOptions) {
    super(message, { cause: circumstances.cause });
    this.name = 'PorticoError';
    this.code = code;
    this.status = circumstances.status;
    this.details = circumstances.details ?? [];
    this.requestId = circumstances.requestId;
    this.idempotencyKey = circumstances.idempotencyKey;
    this.retryAfterSeconds = circumstances.retryAfterSeconds;
  }

  /**
   * Whether the same request would get the same answer again. Where it is not final, whether the request was carried out
   * is not known yet, and it is sent again with the same idempotency key.
   */
  get isFinal(): boolean {
    if (this.status >= 500 || retryableStatuses.has(this.status)) return false;
    if (this.code === 'UNREADABLE') return this.status < 200 || this.status > 299;
    return this.code !== 'UNREACHABLE' && this.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';
  }
}

/** 408, a request that did not arrive in time, and 429, too many of them. */
const retryableStatuses = new Set([408, 429]);
