import type { Json } from '../support/client.ts';
import type { Samples, Send } from './samples.ts';

type Prepare<T> = (samples: Samples, send: Send) => Promise<T>;

const create = async (samples: Samples, target: string, fields: object = {}): Promise<Json> =>
  (await samples.succeed(samples.at(target), (body: Json) => ({ ...body, ...fields }))).body.data;

const read = async (send: Send, address: string): Promise<Json> =>
  (await send({ method: 'GET', address })).body.data;

/** What the example ids of a body stand for, by their kinds, where they need another state than that of a creation. */
export const preparedIds: Readonly<Record<string, Prepare<Readonly<Record<string, string>>>>> = {
  'POST /v1/reviews': async (samples, send) => {
    // A user reviews each product once.
    const { id: product_id } = await create(samples, 'POST /v1/products');
    const { id: order_id } = await create(samples, 'POST /v1/orders', { product_id });
    const { order_id: id } = await create(samples, 'POST /v1/payments', { order_id });
    return { 'order-item': (await read(send, `/v1/orders/${id}/items`))[0].id };
  },
  'POST /v1/captures': async (samples) => ({
    payment: (await create(samples, 'POST /v1/payments', { capture: 'manual' })).id,
  }),
};

/**
 * The address of a new resource, by its collection, where no request there creates one, or where it would change by itself: nothing
 * is sent to a disabled endpoint.
 */
export const preparedItems: Readonly<Record<string, Prepare<string>>> = {
  '/v1/disputes': async (samples, send) => {
    const { id } = await create(samples, 'POST /v1/payments', { payment_method: 'tok_dispute' });
    const disputes = () => read(send, `/v1/disputes?payment_id=${id}`);
    const [lost] = await samples.until(disputes, ([dispute]) => dispute?.status === 'lost');
    return `/v1/disputes/${lost.id}`;
  },
  '/v1/idempotency-keys': async (samples, send) => {
    await create(samples, 'POST /v1/payments');
    return `/v1/idempotency-keys/${(await read(send, '/v1/idempotency-keys?sort=-id'))[0].id}`;
  },
  '/v1/webhook-endpoints': async (samples, send) => {
    const { id } = await create(samples, 'POST /v1/webhook-endpoints');
    const address = `/v1/webhook-endpoints/${id}`;
    await send({ method: 'PATCH', address, body: { status: 'disabled' } });
    return address;
  },
  '/v1/erasures': async (samples, send) => {
    const address = `/v1/erasures/${(await create(samples, 'POST /v1/erasures')).id}`;
    await samples.until(
      () => read(send, address),
      ({ status }) => status === 'completed',
    );
    return address;
  },
};
