import { authenticate, decideCharge } from './attempts.ts';
import { captureIntent } from './captures.ts';
import { type DisputeDetails, disputeCharge, moveDispute } from './disputes.ts';
import { cancelInDashboard } from './intents.ts';
import type { Fate, NetworkFaults } from './network-faults.ts';
import type { DisputeStatus, Endpoint, Refund } from './objects.ts';
import { type Conduct, People } from './people.ts';
import { Provider } from './provider.ts';
import { createRefund, decideRefund, failRefund, moveRefund } from './refunds.ts';
import { missing, ok, StripeError, type StripeResponse } from './response.ts';
import { disputeView } from './views.ts';
import type { Wishes } from './webhooks/deliveries.ts';
import { addEndpoint, rollSecret } from './webhooks/endpoints.ts';

/** What tests order. Each order knows some of these. */
interface Orders extends Wishes, DisputeDetails {
  readonly isWithheld?: boolean;
  readonly endpoint?: string;
  readonly url?: string;
  readonly secrets?: readonly string[];
  readonly requests?: readonly string[];
  readonly payload?: Endpoint['payload'];
  readonly next?: readonly Fate[];
  readonly memoryMilliseconds?: number;
  readonly forget?: boolean;
  readonly lagMilliseconds?: number;
  readonly delayMilliseconds?: number;
  readonly advanceMilliseconds?: number;
  readonly intent?: string;
  readonly consents?: boolean;
  readonly declines?: boolean;
  readonly isOld?: boolean;
  readonly refund?: string;
  readonly dispute?: string;
  readonly status?: string;
}

type Order = (provider: Provider, orders: Orders & NetworkFaults & Partial<Conduct>) => unknown;

/** How tests make the provider behave, and see what it did. */
export class Control {
  provider = new Provider();

  readonly #orders: Readonly<Record<string, Order>> = {
    'GET ledger': ({ account, counts }) => ({ ...account.ledger(), ...counts }),
    'POST faults': ({ faults }, wanted) => {
      faults.wanted = wanted;
    },
    'POST script': ({ faults }, { next = [] }) => {
      faults.script = next;
    },
    'POST keys': ({ keys }, { memoryMilliseconds = keys.memoryMilliseconds, forget }) => {
      keys.memoryMilliseconds = memoryMilliseconds;
      if (forget) keys.forget();
    },
    'POST keys/restrict': ({ account }, { requests = [] }) => {
      account.forbidden = requests;
    },
    'POST events': ({ account }, { lagMilliseconds = 0 }) => {
      account.eventLagMilliseconds = lagMilliseconds;
    },
    'POST search': ({ account }, { lagMilliseconds = 0 }) => {
      account.searchLagMilliseconds = lagMilliseconds;
    },
    'POST clock': ({ account }, { advanceMilliseconds = 0 }) => account.clock.advance(advanceMilliseconds),
    'POST clock/asleep': ({ account }) => account.clock.asleep,
    'POST clock/settle': ({ account }) => account.clock.settle(),
    'POST banks': ({ account }, { delayMilliseconds }) => {
      if (delayMilliseconds !== undefined) account.bankMilliseconds = delayMilliseconds;
    },
    'POST banks/decide': ({ account }) => {
      for (const charge of account.charges.rows) decideCharge(account, charge);
      for (const refund of account.refunds.rows) decideRefund(account, refund);
    },
    'POST captures': ({ account }, { declines = false }) => {
      account.declinesCaptures = declines;
    },
    'POST payer': ({ account }, { intent: id = '', consents = true }) => {
      const intent = account.intents.require(id);
      const isAsked = intent.status === 'requires_action';
      if (isAsked) authenticate(account, intent, consents);
      return { isAsked };
    },
    'POST account/version': ({ account }, { isOld = false }) => {
      account.refundsReleases = isOld;
    },
    'POST dashboard/capture': ({ account }, { intent = '', amount }) =>
      captureIntent(
        account,
        new Map(amount === undefined ? [] : [['amount_to_capture', `${amount}`]]),
        intent,
      ).body,
    'POST dashboard/cancel': ({ account }, { intent = '' }) => cancelInDashboard(account, intent).body,
    'POST dashboard/refund': ({ account }, { intent = '', amount }) =>
      createRefund(
        account,
        new Map([
          ['payment_intent', intent],
          ...(amount === undefined ? [] : [['amount', `${amount}`] as const]),
        ]),
      ).body,
    'POST refunds/begin': ({ account }, { status }) => {
      account.refundsBegin = () => status as Refund['status'] | undefined;
    },
    'POST refunds/move': ({ account }, { refund = '', status, reason = 'unknown' }) => {
      if (status === 'failed') failRefund(account, account.refunds.require(refund), reason);
      else moveRefund(account, account.refunds.require(refund), status as Refund['status']);
    },
    'POST disputes/begin': ({ account }, { intent: id = '', ...details }) => {
      const { latestCharge } = account.intents.require(id);
      if (!latestCharge?.captured) throw missing('charge', id);
      return disputeView(disputeCharge(account, latestCharge, details));
    },
    'POST disputes/move': ({ account }, { dispute = '', status }) =>
      moveDispute(account, account.disputes.require(dispute), status as DisputeStatus),
    'POST webhooks': ({ deliveries }, { isWithheld = false }) => {
      deliveries.isWithheld = isWithheld;
    },
    'POST webhooks/subscribe': ({ account }, { url = '', secrets = [], payload = 'snapshot' }) =>
      addEndpoint(account, { url, payload, types: ['*'], secrets: [...secrets] }),
    'POST webhooks/deliver': ({ deliveries }, wishes) => deliveries.deliver(wishes),
    'POST webhooks/roll': ({ account }, { endpoint = '' }) => ({ id: rollSecret(account, endpoint) }),
    'POST people': ({ account, deliveries }, conduct) => {
      new People(account, deliveries, { seed: 1, withinMilliseconds: 1_000, ...conduct });
    },
    'POST reset': () => {
      this.provider.account.clock.stop();
      this.provider = new Provider();
    },
  };

  /** @param what the path below `/control/` @param body JSON; may be empty */
  async answer(method: string, what: string, body: string): Promise<StripeResponse> {
    const order = this.#orders[`${method} ${what}`];
    if (order === undefined) return { status: 404, body: {} };
    try {
      return ok((await order(this.provider, body === '' ? {} : JSON.parse(body))) ?? {});
    } catch (error) {
      if (error instanceof StripeError) return error.response;
      throw error;
    }
  }
}
