import type { Clock } from './clock.ts';
import { errorResponse, StripeError, type StripeResponse } from './response.ts';

interface KeyRecord {
  readonly request: string;
  readonly since: number;
  /** Undefined while the request is being carried out. */
  response: StripeResponse | undefined;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Idempotency keys as in https://docs.stripe.com/api/idempotent_requests: a response is stored once the endpoint has begun,
 * including a server error. A request that is rejected before stores nothing.
 */
export class Keys {
  readonly #kept = new Map<string, KeyRecord>();
  readonly #clock: Clock;
  memoryMilliseconds = day;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  forget(): void {
    this.#kept.clear();
  }

  /** @param carryOut throws StripeError where it has done nothing */
  async once(
    key: string,
    request: string,
    carryOut: () => Promise<StripeResponse>,
  ): Promise<{ readonly answer: StripeResponse; readonly replayed: boolean }> {
    const known = this.#known(key);
    if (known !== undefined && known.response === undefined) return { answer: inUse, replayed: false };
    if (known !== undefined && known.request !== request) return { answer: otherRequest, replayed: false };
    if (known?.response !== undefined) return { answer: known.response, replayed: true };

    const kept: KeyRecord = { request, since: this.#clock.now(), response: undefined };
    this.#kept.set(key, kept);
    try {
      const { status, body } = await carryOut();
      // A snapshot, because a stored response does not change.
      kept.response = { status, body: structuredClone(body) };
      return { answer: kept.response, replayed: false };
    } catch (error) {
      this.#kept.delete(key);
      if (error instanceof StripeError) return { answer: error.response, replayed: false };
      throw error;
    }
  }

  #known(key: string): KeyRecord | undefined {
    const kept = this.#kept.get(key);
    if (kept?.response === undefined || this.#clock.now() < kept.since + this.memoryMilliseconds) return kept;
    this.#kept.delete(key);
    return undefined;
  }
}

const inUse = errorResponse(409, {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'There is currently another in-progress request using this idempotent key.',
});

const otherRequest = errorResponse(400, {
  type: 'idempotency_error',
  message:
    'Keys for idempotent requests can only be used with the same parameters they were first used with.',
});
