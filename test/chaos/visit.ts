import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { Said, Subject } from './answer.ts';
import type { Fleet } from './fleet.ts';
import { type Dependencies, Inquiry, type Question } from './inquiry.ts';
import type { Shop, Token } from './shop.ts';

interface Options extends Dependencies {
  readonly fleet: Fleet;
  /** No other visit has it, so that its keys are its own. */
  readonly name: string;
  readonly shop: Shop;
  readonly random: Random;
  /** Where all inquiries go, to be asked again later. */
  readonly inquiries: Inquiry[];
}

type Asking = Omit<Question, 'key' | 'body'> & { readonly body: object };

/** A customer in the shop, and what they ask for. */
export class Visit {
  readonly random: Random;
  readonly shop: Shop;
  readonly customer: Token;
  readonly #options: Options;
  #keys = 0;

  constructor(options: Options) {
    this.#options = options;
    this.random = options.random;
    this.shop = options.shop;
    this.customer = options.random.pick(options.shop.customers);
  }

  order(product: string, quantity: number): Inquiry {
    return this.#inquire({
      kind: 'order',
      method: 'POST',
      path: '/v1/orders',
      token: this.customer,
      body: { product_id: product, quantity },
      mayBe: ['201', '409 OUT_OF_STOCK'],
    });
  }

  addItem({ id }: Subject, product: string, quantity: number): Inquiry {
    return this.#inquire({
      kind: 'item',
      method: 'POST',
      path: `/v1/orders/${id}/items`,
      token: this.customer,
      body: { product_id: product, quantity },
      mayBe: ['201'],
    });
  }

  change({ id }: Subject, token: Token, status: 'canceled' | 'fulfilled', ...orElse: string[]): Inquiry {
    return this.#inquire({
      kind: 'change',
      method: 'PATCH',
      path: `/v1/orders/${id}`,
      token,
      body: { status },
      mayBe: ['200', ...orElse],
    });
  }

  /** A card that is good can be declined all the same: when the reconciler came first and found nothing charged. */
  pay({ id }: Subject, ...orElse: string[]): Inquiry {
    return this.#payWith('pm_card_visa', id, ['201', '422 PAYMENT_DECLINED', ...orElse]);
  }

  payWithBadCard({ id }: Subject): Inquiry {
    return this.#payWith('pm_card_chargeDeclined', id, ['422 PAYMENT_DECLINED']);
  }

  /** @param amount all that is left, unless given */
  refund({ id }: Subject, amount?: number, ...orElse: string[]): Inquiry {
    return this.#inquire({
      kind: 'refund',
      method: 'POST',
      path: '/v1/refunds',
      token: this.shop.staff,
      body: { payment_id: id, ...(amount !== undefined && { amount: { amount, currency: 'EUR' } }) },
      mayBe: ['201', ...orElse],
    });
  }

  newProduct(stock: number): Inquiry {
    return this.#inquire({
      kind: 'product',
      method: 'POST',
      path: '/v1/products',
      token: this.shop.staff,
      body: { name: 'Rarity', price: { amount: 9_900, currency: 'EUR' }, stock },
      mayBe: ['201'],
    });
  }

  /** Asks until there is an answer, and now and then once or twice more. @throws GaveUp */
  async ask(inquiry: Inquiry): Promise<Said> {
    const { random } = this;
    await this.#think();
    const said = await inquiry.untilFinal(random);
    for (
      let replays = random.weighted({ 0: 5, 1: 3, 2: 2 });
      replays !== '0';
      replays = replays === '2' ? '1' : '0'
    ) {
      await inquiry.attempt(this.#options.fleet.any(random), random);
    }
    return said;
  }

  /** Asks both servers at the same moment, and then until there is an answer. @throws GaveUp */
  async askTwiceAtOnce(inquiry: Inquiry): Promise<Said> {
    const { random } = this;
    await this.#think();
    await Promise.all(this.#options.fleet.servers.map((server) => inquiry.attempt(server, random)));
    return this.ask(inquiry);
  }

  /** Asks, and never comes back, whatever the answer was. */
  async askAndLeave(inquiry: Inquiry): Promise<void> {
    await this.#think();
    await inquiry.attempt(this.#options.fleet.any(this.random), this.random);
  }

  /** People take their time; what matters is how often a server dies in the middle of it, not how much is sold. */
  async #think(): Promise<void> {
    await pause(this.random.between(0, 60));
  }

  #payWith(paymentMethod: string, orderId: string, mayBe: readonly string[]): Inquiry {
    return this.#inquire({
      kind: 'payment',
      method: 'POST',
      path: '/v1/payments',
      token: this.customer,
      body: { order_id: orderId, payment_method: paymentMethod },
      mayBe,
    });
  }

  #inquire({ body, ...asking }: Asking): Inquiry {
    this.#keys += 1;
    const key = `${this.#options.name}-${this.#keys}-${asking.kind}`;
    const inquiry = new Inquiry({ ...asking, key, body: JSON.stringify(body) }, this.#options);
    this.#options.inquiries.push(inquiry);
    return inquiry;
  }
}
