import { setTimeout as pause } from 'node:timers/promises';
import { offline } from '#domain/payment.ts';
import type { Random } from '#test/support/random.ts';
import {
  type Line,
  orderOf,
  paymentOf,
  type RequestDetails,
  refundOf,
  seenRefundOf,
} from '../lab/clients/requests.ts';
import type { ParsedResponse, Subject } from '../lab/clients/response.ts';
import { type Dependencies, RetriedRequest } from '../lab/clients/retried-request.ts';
import type { Shop, Token } from '../lab/clients/shop.ts';
import type { Violations } from '../lab/violations.ts';
import type { StripeProcess } from '../stripe/stripe-process.ts';
import type { Pace } from './conditions.ts';
import type { Counts } from './counts.ts';
import type { Person } from './erasing/person.ts';
import type { Fleet } from './fleet.ts';

interface Options extends Dependencies {
  readonly counts: Counts;
  readonly fleet: Fleet;
  readonly pace: Pace;
  /** Where the payer can consent. */
  readonly provider: StripeProcess;
  /** Unique, so that its keys are unique too. */
  readonly name: string;
  readonly shop: Shop;
  readonly random: Random;
  /** Collects all requests, to be retried later. */
  readonly requests: RetriedRequest[];
  /** Collects the customers who are to be erased. */
  readonly people: Person[];
  /** The customer, by default any of the shop. */
  readonly person?: Person;
}

/** A customer in the shop, and the customer's requests. */
export class Visit {
  readonly random: Random;
  readonly shop: Shop;
  readonly customer: Token;
  readonly name: string;
  readonly fleet: Fleet;
  readonly provider: StripeProcess;
  readonly counts: Counts;
  readonly violations: Violations;
  readonly #options: Options;
  #keys = 0;

  constructor(options: Options) {
    this.#options = options;
    this.random = options.random;
    this.shop = options.shop;
    this.name = options.name;
    this.fleet = options.fleet;
    this.provider = options.provider;
    this.counts = options.counts;
    this.violations = options.violations;
    this.customer = options.person?.token ?? options.random.pick(options.shop.customers);
  }

  /** The visit of a customer who is to be erased. Its keys have no mark, because staff keep those of theirs. */
  as(person: Person): Visit {
    const name = `${this.name}-theirs`;
    this.#options.people.push(person);
    return new Visit({ ...this.#options, name, person });
  }

  /** Something of the shop's, and how much of it. */
  line(): Line {
    const { random, shop } = this;
    return [random.pick(shop.products).id, random.pick([1, 1, 2, 3, 0.5, 1.25, 0.333])];
  }

  order(...lines: readonly Line[]): RetriedRequest {
    return this.newRequest(orderOf(this.customer, lines));
  }

  addItem({ id }: Subject, [product, quantity]: Line): RetriedRequest {
    return this.newRequest({
      kind: 'item',
      method: 'POST',
      path: `/v1/orders/${id}/items`,
      token: this.customer,
      body: { product_id: product, quantity },
      expectedOutcomes: ['201'],
    });
  }

  change(
    { id }: Subject,
    token: Token,
    status: 'canceled' | 'fulfilled',
    ...orElse: string[]
  ): RetriedRequest {
    return this.newRequest({
      kind: 'change',
      method: 'PATCH',
      path: `/v1/orders/${id}`,
      subjectId: id,
      token,
      body: { status },
      expectedOutcomes: ['200', ...orElse],
    });
  }

  /** A card that is good can be declined all the same: when the reconciler came first and found nothing charged. */
  pay(order: Subject, ...orElse: string[]): RetriedRequest {
    const outcomes = ['201', '422 PAYMENT_DECLINED', ...orElse];
    return this.newRequest(paymentOf(order, this.customer, { payment_method: 'pm_card_visa' }, outcomes));
  }

  payWithBadCard(order: Subject): RetriedRequest {
    const card = { payment_method: 'pm_card_chargeDeclined' };
    return this.newRequest(paymentOf(order, this.customer, card, ['422 PAYMENT_DECLINED']));
  }

  /** @param amount all that is left, unless given */
  refund(payment: Subject, amount?: number): RetriedRequest {
    return this.newRequest(refundOf(payment, this.shop.staff, amount));
  }

  /** @param seen what was refunded of the payment when its client looked, in cents */
  refundSeen(payment: Subject, amount: number, seen: number): RetriedRequest {
    return this.newRequest(seenRefundOf(payment, this.shop.staff, amount, seen));
  }

  /** Staff take the money themselves. */
  payOffline(order: Subject, ...orElse: string[]): RetriedRequest {
    const receipt = { payment_method: offline, reference: `Receipt ${order.id}` };
    return this.newRequest(paymentOf(order, this.shop.staff, receipt, ['201', ...orElse]));
  }

  changeStock(product: string, change: number): RetriedRequest {
    return this.newRequest({
      kind: 'stockChange',
      method: 'POST',
      path: '/v1/stock-changes',
      token: this.shop.staff,
      body: { product_id: product, change, reason: 'Counted' },
      expectedOutcomes: ['201'],
    });
  }

  newProduct(stock: number): RetriedRequest {
    return this.newRequest({
      kind: 'product',
      method: 'POST',
      path: '/v1/products',
      token: this.shop.staff,
      body: { name: 'Rarity', price: { amount: 9_900, currency: 'EUR' }, stock },
      expectedOutcomes: ['201'],
    });
  }

  /** Sends a request until there is a final response, and sometimes once or twice more. @throws NoFinalResponseError */
  async send(request: RetriedRequest): Promise<ParsedResponse> {
    const { random } = this;
    await this.#think();
    const response = await request.untilFinal(random);
    for (
      let replays = random.weighted({ 0: 5, 1: 3, 2: 2 });
      replays !== '0' && !request.isForgotten;
      replays = replays === '2' ? '1' : '0'
    ) {
      await request.attempt(this.#options.fleet.any(random), random);
    }
    return response;
  }

  /** Sends a request to both servers at once, then until there is a final response. @throws NoFinalResponseError */
  async sendTwiceAtOnce(request: RetriedRequest): Promise<ParsedResponse> {
    const { random } = this;
    await this.#think();
    await Promise.all(this.#options.fleet.servers.map((server) => request.attempt(server, random)));
    return this.send(request);
  }

  /** Sends a request once, and abandons it. */
  async sendAndAbandon(request: RetriedRequest): Promise<void> {
    await this.#think();
    await request.attempt(this.#options.fleet.any(this.random), this.random);
  }

  /** Pauses like a person. The test is about kills in the middle of requests, not about throughput. */
  async #think(): Promise<void> {
    await pause(this.random.between(0, this.#options.pace.pauseMs));
  }

  newRequest({ body, ...details }: RequestDetails): RetriedRequest {
    this.#keys += 1;
    const key = `${this.#options.name}-${this.#keys}-${details.kind}`;
    const request = new RetriedRequest(
      { about: this.#options.person, ...details, key, body: JSON.stringify(body) },
      this.#options,
    );
    this.#options.requests.push(request);
    return request;
  }
}
