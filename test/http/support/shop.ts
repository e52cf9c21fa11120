import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ApiResponse, Client, Json } from './client.ts';
import { expectCreated, expectList, expectOne } from './expectations.ts';
import type { Service } from './service.ts';

/** An id that no resource has. */
export const nowhere = '01890000-0000-7000-8000-000000000000';

export const euros = (amount: number): Json => ({ amount, currency: 'EUR' });

/** The header with a new idempotency key, or with the given one. */
export const once = (key: string = randomUUID()): Record<string, string> => ({ 'Idempotency-Key': key });

export const tea = { name: 'Tea', price: euros(350) };

/** Creates an active product, tea unless the fields override it. */
export const newProduct = async (service: Pick<Service, 'operator'>, fields: object = {}): Promise<Json> =>
  expectCreated(await service.operator.post('/v1/products', { ...tea, ...fields }), '/v1/products');

/** A product for the tests of the surrounding `describe`, created before the first of them. */
export const offered = (...details: Parameters<typeof newProduct>): Json => {
  const product = {};
  before(async () => Object.assign(product, await newProduct(...details)));
  return product;
};

/** What a product has for each field that its creation leaves out. */
export const productDefaults = {
  ...{ description: null, sku: null, status: 'active', stock: null, quantity_step: null },
  ...{ image_urls: [], tags: [], tax_rate: null, metadata: {} },
};

/**
 * Creates forty products, of which every second one can be removed.
 * @param next chooses which is removed next
 */
export const changingProducts = async (
  service: Pick<Service, 'operator'>,
  next: (ids: string[]) => string | undefined,
): Promise<{ readonly staying: readonly string[]; readonly change: () => Promise<void> }> => {
  const [staying, going]: [string[], string[]] = [[], []];
  for (let count = 0; count < 40; count += 1) {
    const { id } = await newProduct(service);
    (count % 2 === 0 ? staying : going).push(id);
  }
  /** Creates a product, and removes one while there are any. */
  const change = async (): Promise<void> => {
    const leaving = next(going);
    const remove = async () =>
      leaving === undefined ? undefined : service.operator.delete(`/v1/products/${leaving}`);
    await Promise.all([newProduct(service), remove()]);
  };
  return { staying, change };
};

export const stockOf = async (service: Service, { id }: Json): Promise<number | null> =>
  expectOne(await service.operator.get(`/v1/products/${id}`)).stock;

export const order = (buyer: Client, product: Json, quantity = 1): Promise<ApiResponse> =>
  buyer.post('/v1/orders', { product_id: product.id, quantity });

/** Creates a pending order. */
export const newOrder = async (buyer: Client, product: Json, quantity = 1): Promise<Json> =>
  expectCreated(await order(buyer, product, quantity), '/v1/orders');

export const orderNow = async (reader: Client, { id }: Json): Promise<Json> =>
  expectOne(await reader.get(`/v1/orders/${id}`));

export const addItem = (buyer: Client, { id }: Json, product: Json, quantity = 1): Promise<ApiResponse> =>
  buyer.post(`/v1/orders/${id}/items`, { product_id: product.id, quantity });

/** The first item of an order. */
export const firstItem = async (reader: Client, { id }: Json): Promise<Json> =>
  expectList(await reader.get(`/v1/orders/${id}/items`))[0];

export const pay = (payer: Client, { id }: Json, method = 'tok_ok', key?: string): Promise<ApiResponse> =>
  payer.post('/v1/payments', { order_id: id, payment_method: method }, once(key));

/** Creates a payment that succeeds. */
export const newPayment = async (payer: Client, unpaid: Json): Promise<Json> => {
  const payment = expectCreated(await pay(payer, unpaid), '/v1/payments');
  expect(payment.status).to.equal('succeeded');
  return payment;
};

export const newPaidOrder = async (buyer: Client, product: Json, quantity = 1): Promise<Json> => {
  const unpaid = await newOrder(buyer, product, quantity);
  await newPayment(buyer, unpaid);
  return orderNow(buyer, unpaid);
};

export const paymentsOf = async (reader: Client, { id }: Json): Promise<Json[]> =>
  expectList(await reader.get(`/v1/payments?order_id=${id}`));

export const refund = (
  staff: Client,
  { id }: Json,
  fields: object = {},
  key?: string,
): Promise<ApiResponse> => staff.post('/v1/refunds', { payment_id: id, ...fields }, once(key));
