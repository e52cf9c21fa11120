import { Provider } from './provider.ts';
import { settleRefunds } from './refunds.ts';
import { ok, type StripeResponse } from './response.ts';
import type { Fate, Forecast } from './weather.ts';

interface Orders {
  readonly next?: readonly Fate[];
  readonly memoryMilliseconds?: number;
  readonly forget?: boolean;
  readonly lagMilliseconds?: number;
}

/** How tests make the provider behave, and see what it did. */
export class Control {
  provider = new Provider();

  /** @param body JSON; may be empty */
  answer(method: string, path: string, body: string): StripeResponse {
    const orders: Forecast & Orders = body === '' ? {} : JSON.parse(body);
    const { provider } = this;
    switch (`${method} ${path}`) {
      case 'GET /control/ledger':
        return ok({ ...provider.account.ledger(), ...provider.counts });
      case 'POST /control/weather':
        provider.weather.forecast = orders;
        return ok({});
      case 'POST /control/script':
        provider.weather.script = orders.next ?? [];
        return ok({});
      case 'POST /control/keys':
        provider.keys.memoryMilliseconds = orders.memoryMilliseconds ?? provider.keys.memoryMilliseconds;
        if (orders.forget) provider.keys.forget();
        return ok({});
      case 'POST /control/search':
        provider.searchLagMilliseconds = orders.lagMilliseconds ?? 0;
        return ok({});
      case 'POST /control/settle-refunds':
        settleRefunds(provider.account);
        return ok({});
      case 'POST /control/reset':
        this.provider = new Provider();
        return ok({});
      default:
        return { status: 404, body: {} };
    }
  }
}
