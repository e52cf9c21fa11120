/** The response of an endpoint. */
export interface StripeResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface StripeErrorBody {
  readonly type: 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';
  readonly code?: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
}

export const ok = (body: unknown): StripeResponse => ({ status: 200, body });

export const errorResponse = (status: number, error: StripeErrorBody): StripeResponse => ({
  status,
  body: { error },
});

/** Thrown before anything was done: such a response is not stored under its idempotency key. */
export class StripeError extends Error {
  readonly response: StripeResponse;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.response = errorResponse(status, error);
  }
}

export const missing = (what: string, id: string, status = 404): StripeError =>
  new StripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  });

export const invalid = (param: string, message: string, code = 'parameter_invalid'): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', code, message, param });

/** The response to a request that what exists does not allow. It is stored under its idempotency key. */
export const rejected = (
  code: string,
  message: string,
  details: Partial<StripeErrorBody> = {},
): StripeResponse => errorResponse(400, { type: 'invalid_request_error', code, message, ...details });
