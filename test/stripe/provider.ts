import { Account, getAccount } from './account.ts';
import { captureIntent } from './captures.ts';
import { getCharge, listCharges } from './charges.ts';
import { createToken, getToken } from './confirmation-tokens.ts';
import { rejectionOf } from './credentials.ts';
import { closeDispute, getDispute, listDisputes, updateDispute } from './disputes.ts';
import { getEvent, listEvents } from './events.ts';
import { expand } from './expansion.ts';
import { canonical, type Form } from './form.ts';
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  getIntent,
  listIntents,
  searchIntents,
} from './intents.ts';
import { Keys } from './keys.ts';
import { FaultPlan } from './network-faults.ts';
import { cancelRefund, createRefund, getRefund, listRefunds } from './refunds.ts';
import { errorResponse, StripeError, type StripeResponse } from './response.ts';
import { Deliveries } from './webhooks/deliveries.ts';
import {
  createDestination,
  deleteDestination,
  disableDestination,
  enableDestination,
  getDestination,
  listDestinations,
  updateDestination,
} from './webhooks/destinations.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  updateEndpoint,
} from './webhooks/endpoints.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly authorization: string | undefined;
  readonly key: string | undefined;
  readonly version: string | undefined;
}

type Endpoint = (account: Account, form: Form, id: string) => StripeResponse;

export interface Outcome {
  readonly answer: StripeResponse;
  readonly replayed: boolean;
}

/** A Stripe for tests: an account, a memory of keys, and faults of the network. */
export class Provider {
  readonly account = new Account();
  readonly keys = new Keys(this.account.clock);
  readonly faults = new FaultPlan();
  readonly deliveries = new Deliveries(this.account);
  readonly counts = { requests: 0, dropped: 0, failed: 0, stalled: 0 };

  readonly #endpoints: Readonly<Record<string, Endpoint>> = {
    'POST /v1/payment_intents': createIntent,
    'GET /v1/payment_intents': listIntents,
    'GET /v1/payment_intents/search': searchIntents,
    'GET /v1/payment_intents/:id': getIntent,
    'POST /v1/payment_intents/:id/confirm': confirmIntent,
    'POST /v1/payment_intents/:id/cancel': cancelIntent,
    'POST /v1/payment_intents/:id/capture': captureIntent,
    'POST /v1/test_helpers/confirmation_tokens': createToken,
    'GET /v1/confirmation_tokens/:id': getToken,
    'POST /v1/refunds': createRefund,
    'GET /v1/refunds': listRefunds,
    'GET /v1/refunds/:id': getRefund,
    'POST /v1/refunds/:id/cancel': cancelRefund,
    'GET /v1/charges': listCharges,
    'GET /v1/charges/:id': getCharge,
    'GET /v1/disputes': listDisputes,
    'GET /v1/disputes/:id': getDispute,
    'POST /v1/disputes/:id': updateDispute,
    'POST /v1/disputes/:id/close': closeDispute,
    'POST /v1/webhook_endpoints': createEndpoint,
    'GET /v1/webhook_endpoints': listEndpoints,
    'GET /v1/webhook_endpoints/:id': getEndpoint,
    'POST /v1/webhook_endpoints/:id': updateEndpoint,
    'DELETE /v1/webhook_endpoints/:id': deleteEndpoint,
    'POST /v2/core/event_destinations': createDestination,
    'GET /v2/core/event_destinations': listDestinations,
    'GET /v2/core/event_destinations/:id': getDestination,
    'POST /v2/core/event_destinations/:id': updateDestination,
    'DELETE /v2/core/event_destinations/:id': deleteDestination,
    'POST /v2/core/event_destinations/:id/disable': disableDestination,
    'POST /v2/core/event_destinations/:id/enable': enableDestination,
    'GET /v1/account': getAccount,
    'GET /v1/events': listEvents,
    'GET /v1/events/:id': getEvent,
  };

  /** @returns the response; undefined to close the connection instead */
  async answer(call: Call): Promise<Outcome | undefined> {
    this.counts.requests += 1;
    const rejection = rejectionOf(call, this.account);
    if (rejection !== undefined) return { answer: rejection, replayed: false };
    const fate = this.faults.next(movesMoney(call));
    if (fate === 'dropBefore') return this.#drop();
    if (fate === 'busy') return { answer: busy, replayed: false };
    if (fate === 'fail') return { answer: this.#failure(), replayed: false };
    const outcome = await this.#carryOut(call, fate === 'failAfter');
    if (fate === 'drop') return this.#drop();
    if (fate === 'stall') {
      this.counts.stalled += 1;
      await this.account.clock.sleep(this.faults.stallMilliseconds);
    }
    return outcome;
  }

  async #carryOut(call: Call, fails: boolean): Promise<Outcome> {
    const carryOut = async () => {
      if (this.faults.delayMilliseconds > 0) await this.account.clock.sleep(this.faults.delayMilliseconds);
      for (let turn = 0; turn < this.faults.delayTurns; turn += 1)
        await new Promise<void>((resolve) => setImmediate(resolve));
      const response = this.#dispatch(call);
      return fails ? this.#failure() : response;
    };
    if (call.key !== undefined && call.method === 'POST') {
      return this.keys.once(call.key, `${call.path} ${canonical(call.form)}`, carryOut);
    }
    try {
      return { answer: await carryOut(), replayed: false };
    } catch (error) {
      if (error instanceof StripeError) return { answer: error.response, replayed: false };
      throw error;
    }
  }

  #dispatch({ method, path, form }: Call): StripeResponse {
    const [, id = ''] = /^\/(?:v1|v2\/core)\/\w+\/(\w+)/.exec(path) ?? [];
    const endpoint =
      this.#endpoints[`${method} ${path}`] ?? this.#endpoints[`${method} ${path.replace(id, ':id')}`];
    if (endpoint !== undefined) return expand(this.account, form, endpoint(this.account, form, id));
    throw new StripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  }

  #drop(): undefined {
    this.counts.dropped += 1;
    return undefined;
  }

  #failure(): StripeResponse {
    this.counts.failed += 1;
    return errorResponse(500, { type: 'api_error', message: 'Something went wrong on our end.' });
  }
}

/** Whether a request charges, captures or refunds. */
const movesMoney = ({ method, path }: Call): boolean =>
  method === 'POST' && /^\/v1\/(payment_intents|refunds|payment_intents\/\w+\/capture)$/.test(path);

/** https://docs.stripe.com/rate-limits#object-lock-timeouts */
const busy = errorResponse(429, {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message:
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
});
