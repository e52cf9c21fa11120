import { orThrow, type Portico, portico } from '#adapters/http/client/index.ts';
import type { Service } from '../http/support/service.ts';
import { newProduct } from '../http/support/shop.ts';
import { FaultyWire } from './faulty-wire.ts';
import { TurningTime } from './turning-time.ts';

/** Customers of a running service, whose clients call it through the proxy that injects faults. */
export class Shop {
  readonly #service: Service;
  readonly wire: FaultyWire;
  readonly time = new TurningTime();

  constructor(service: Service) {
    this.#service = service;
    this.wire = new FaultyWire(
      () => service.url,
      (response) => response.once('close', this.time.hold()),
    );
    before(() => this.wire.open());
    after(() => this.wire.close());
  }

  async client(role: 'customer' | 'staff' = 'customer', settings: object = {}): Promise<Portico> {
    const { token = '' } = await this.#service.person(role);
    return portico({ url: this.wire.url, key: token, ...settings });
  }

  /** Creates a pending order. */
  async newOrder(client: Portico): Promise<{ readonly id: string; readonly version: number }> {
    const { id } = await newProduct(this.#service);
    const placed = await client.send('POST /orders', { body: { product_id: id, quantity: 1 } });
    return orThrow(placed).data;
  }
}
