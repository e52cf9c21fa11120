import { authenticate, decideCharge } from './attempts.ts';
import { intentOf } from './intents.ts';
import { Provider } from './provider.ts';
import { decideRefund } from './refunds.ts';
import { ok, StripeError, type StripeResponse } from './response.ts';
import type { Fate, Forecast } from './weather.ts';

/** What tests order. Each order knows some of these. */
interface Orders {
  readonly next?: readonly Fate[];
  readonly memoryMilliseconds?: number;
  readonly forget?: boolean;
  readonly lagMilliseconds?: number;
  readonly delayMilliseconds?: number;
  readonly advanceMilliseconds?: number;
  readonly intent?: string;
  readonly consents?: boolean;
}

type Order = (provider: Provider, orders: Orders & Forecast) => unknown;

/** How tests make the provider behave, and see what it did. */
export class Control {
  provider = new Provider();

  readonly #orders: Readonly<Record<string, Order>> = {
    'GET ledger': ({ account, counts }) => ({ ...account.ledger(), ...counts }),
    'POST weather': ({ weather }, forecast) => {
      weather.forecast = forecast;
    },
    'POST script': ({ weather }, { next = [] }) => {
      weather.script = next;
    },
    'POST keys': ({ keys }, { memoryMilliseconds = keys.memoryMilliseconds, forget }) => {
      keys.memoryMilliseconds = memoryMilliseconds;
      if (forget) keys.forget();
    },
    'POST search': ({ account }, { lagMilliseconds = 0 }) => {
      account.searchLagMilliseconds = lagMilliseconds;
    },
    'POST clock': ({ account }, { advanceMilliseconds = 0 }) => account.clock.advance(advanceMilliseconds),
    'POST banks': ({ account }, { delayMilliseconds }) => {
      if (delayMilliseconds !== undefined) account.bankMilliseconds = delayMilliseconds;
    },
    'POST banks/decide': ({ account }) => {
      for (const charge of account.charges.rows) decideCharge(account, charge);
      for (const refund of account.refunds.rows) decideRefund(refund);
    },
    'POST payer': ({ account }, { intent: id = '', consents = true }) => {
      const intent = intentOf(account, id);
      const isAsked = intent.status === 'requires_action';
      if (isAsked) authenticate(account, intent, consents);
      return { isAsked };
    },
    'POST reset': () => {
      this.provider.account.clock.stop();
      this.provider = new Provider();
    },
  };

  /** @param body JSON; may be empty */
  answer(method: string, path: string, body: string): StripeResponse {
    const order = this.#orders[`${method} ${path.replace('/control/', '')}`];
    if (order === undefined) return { status: 404, body: {} };
    try {
      return ok(order(this.provider, body === '' ? {} : JSON.parse(body)) ?? {});
    } catch (error) {
      if (error instanceof StripeError) return error.response;
      throw error;
    }
  }
}
