import type { AddressInfo } from 'node:net';
import type { Ledger } from './account.ts';
import { Control } from './control.ts';
import type { DisputeDetails } from './disputes.ts';
import type { Fate, NetworkFaults } from './network-faults.ts';
import type { DisputeStatus, Endpoint, Refund } from './objects.ts';
import type { Conduct } from './people.ts';
import type { Provider } from './provider.ts';
import { startServer } from './server.ts';
import type { Delivery, Wishes } from './webhooks/deliveries.ts';

type RefundStatus = Refund['status'];

/** Gives the provider an order. @returns the body of its response @throws when the provider rejects it */
type Order = (method: 'GET' | 'POST', what: string, details: object) => Promise<unknown>;

/** How a server is reached and ended. */
interface Running {
  readonly url: string;
  readonly order: Order;
  readonly stop: () => Promise<void>;
}

/** A provider like Stripe, which tests tell how to behave. `StripeProcess` has it outlive the process of the server under test. */
export class StripeServer {
  readonly #running: Running;

  protected constructor(running: Running) {
    this.#running = running;
  }

  /** Starts one in this process, with sockets of its own. */
  static async start(): Promise<StripeServer> {
    const control = new Control();
    const server = await startServer(control, 0);
    const { port } = server.address() as AddressInfo;
    return new StripeServer({
      url: `http://127.0.0.1:${port}`,
      order: async (method, what, details) => {
        const { status, body } = await control.answer(method, what, JSON.stringify(details));
        return status === 200 ? structuredClone(body) : rejected(what, status, JSON.stringify(body));
      },
      stop: async () => {
        control.provider.account.clock.stop();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
  }

  get url(): string {
    return this.#running.url;
  }

  async ledger(): Promise<Ledger & Provider['counts']> {
    return (await this.#running.order('GET', 'ledger', {})) as Ledger & Provider['counts'];
  }

  setNetworkFaults(faults: NetworkFaults): Promise<void> {
    return this.#tell('faults', faults);
  }

  /** @param next what happens to the next requests that charge, capture or refund, one each */
  script(...next: readonly Fate[]): Promise<void> {
    return this.#tell('script', { next });
  }

  purgeIdempotencyKeys(): Promise<void> {
    return this.#tell('keys', { forget: true });
  }

  /** @param requests what restricted keys may not do from now on, such as `GET /v1/events` */
  forbidRestrictedKeys(...requests: readonly string[]): Promise<void> {
    return this.#tell('keys/restrict', { requests });
  }

  searchLag(lagMilliseconds: number): Promise<void> {
    return this.#tell('search', { lagMilliseconds });
  }

  /** Moves the provider's clock forward, past what is due by then. */
  advance(advanceMilliseconds: number): Promise<void> {
    return this.#tell('clock', { advanceMilliseconds });
  }

  /** Waits until all that is due by the provider's clock has ended, deliveries to webhook endpoints too. */
  settle(): Promise<void> {
    return this.#tell('clock/settle');
  }

  /** Waits until the network delays a request that comes from now on: before it is carried out, or its response. */
  delayed(): Promise<void> {
    return this.#tell('clock/asleep');
  }

  /** @param delayMilliseconds how long banks take to decide on what begins from now on; an hour by default */
  bankDelay(delayMilliseconds: number): Promise<void> {
    return this.#tell('banks', { delayMilliseconds });
  }

  /** Makes the banks decide on all charges and refunds that wait for them. */
  banksDecide(): Promise<void> {
    return this.#tell('banks/decide');
  }

  /** Whether banks decline to capture what they have authorized, from now on. */
  declineCaptures(declines: boolean): Promise<void> {
    return this.#tell('captures', { declines });
  }

  /** Whether the account has a version of the API that shows what is given back unused as a refund. By default it has not. */
  hasOldVersion(isOld = true): Promise<void> {
    return this.#tell('account/version', { isOld });
  }

  /** Captures a charge in the provider's dashboard. @param amount by default all that was authorized @returns the intent's id */
  captureInDashboard(intent: string, amount?: number): Promise<string> {
    return this.#create('dashboard/capture', { intent, amount });
  }

  /** Cancels a charge in the provider's dashboard. @returns the intent's id */
  cancelInDashboard(intent: string): Promise<string> {
    return this.#create('dashboard/cancel', { intent });
  }

  /** Refunds a charge in the provider's dashboard. @param amount by default all that is left @returns the refund's id */
  refundInDashboard(intent: string, amount?: number): Promise<string> {
    return this.#create('dashboard/refund', { intent, amount });
  }

  /** @param status with which refunds begin from now on; undefined to leave it to the payment method */
  refundsBegin(status: RefundStatus | undefined): Promise<void> {
    return this.#tell('refunds/begin', { status });
  }

  /** @param reason of a failure */
  moveRefund(refund: string, status: RefundStatus, reason?: string): Promise<void> {
    return this.#tell('refunds/move', { refund, status, reason });
  }

  /** Disputes a charge in the payer's name. @returns the dispute's id */
  dispute(intent: string, details: DisputeDetails = {}): Promise<string> {
    return this.#create('disputes/begin', { intent, ...details });
  }

  moveDispute(dispute: string, status: DisputeStatus): Promise<void> {
    return this.#tell('disputes/move', { dispute, status });
  }

  /** How late the list of events shows what has happened. */
  eventLag(lagMilliseconds: number): Promise<void> {
    return this.#tell('events', { lagMilliseconds });
  }

  /**
   * Subscribes an endpoint to all events. Unlike by Stripe's API, the test chooses the secrets with which they are signed.
   * @returns the endpoint's id
   */
  subscribe(
    url: string,
    secrets: readonly string[],
    payload: Endpoint['payload'] = 'snapshot',
  ): Promise<string> {
    return this.#create('webhooks/subscribe', { url, secrets, payload });
  }

  /** Delivers no event to webhook endpoints from now on, but by `deliver`. */
  withholdWebhooks(isWithheld = true): Promise<void> {
    return this.#tell('webhooks', { isWithheld });
  }

  /** Delivers events to webhook endpoints, one after the other. By default those that were not accepted yet. */
  async deliver(wishes: Wishes = {}): Promise<readonly Delivery[]> {
    return (await this.#order('webhooks/deliver', wishes)) as Delivery[];
  }

  /** Gives an endpoint a new secret, while the old one is valid for another day. @returns the new one */
  rollWebhookSecret(endpoint: string): Promise<string> {
    return this.#create('webhooks/roll', { endpoint });
  }

  /** Lets payers, banks and merchants act by themselves from now on, and webhooks arrive in any order. */
  people(conduct: Conduct): Promise<void> {
    return this.#tell('people', conduct);
  }

  /** Consents to a payment in the payer's name, if the payer is asked. */
  consent(intent: string): Promise<void> {
    return this.#tell('payer', { intent, consents: true });
  }

  /** Refuses a payment in the payer's name, if the payer is asked. */
  refuse(intent: string): Promise<void> {
    return this.#tell('payer', { intent, consents: false });
  }

  reset(): Promise<void> {
    return this.#tell('reset');
  }

  stop(): Promise<void> {
    return this.#running.stop();
  }

  async #tell(what: string, orders: object = {}): Promise<void> {
    await this.#order(what, orders);
  }

  async #create(what: string, orders: object): Promise<string> {
    const created = (await this.#order(what, orders)) as { readonly id?: string };
    if (created.id === undefined) throw new Error(`The provider rejects ${what}: ${JSON.stringify(created)}`);
    return created.id;
  }

  #order(what: string, orders: object): Promise<unknown> {
    return this.#running.order('POST', what, orders);
  }
}

export const rejected = (what: string, status: number, body: string): never => {
  throw new Error(`The provider rejects ${what}: ${status} ${body}`);
};
