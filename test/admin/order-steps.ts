import type { Client, Json } from '../http/support/client.ts';

interface Wanted {
  /** By default the demonstration's first product that counts its stock. */
  readonly product?: Json;
  readonly method?: string;
  readonly quantity?: number;
  /** Further fields of the order. */
  readonly fields?: Json;
}

/** Places an order of one product, and pays it. */
export const placePaidOrder = async (
  client: Client,
  { product: wanted, method = 'tok_ok', quantity = 2, fields = {} }: Wanted = {},
): Promise<{ order: Json; product: Json; payment: Json }> => {
  const { data: products } = (await client.get('/v1/products?status=active&limit=100')).body;
  const product = wanted ?? products.find(({ stock }: Json) => stock > 10);
  const order = (await client.post('/v1/orders', { product_id: product.id, quantity, ...fields })).body.data;
  const body = { order_id: order.id, payment_method: method };
  const { data: payment } = (
    await client.post('/v1/payments', body, { 'Idempotency-Key': crypto.randomUUID() })
  ).body;
  return { order, product, payment };
};
