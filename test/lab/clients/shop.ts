import { Client, type Json } from '../../http/support/client.ts';
import type { RetriedRequest } from './retried-request.ts';

/** A caller, by their key. */
export type Token = string;

export interface Shop {
  readonly customers: readonly Token[];
  readonly staff: Token;
  readonly admin: Token;
  readonly products: readonly Product[];
}

interface Product {
  readonly id: string;
  /** In stock at the beginning; null when the stock is not counted. */
  readonly stock: number | null;
}

/** More of it than can ever be sold, and less than there can be. */
const plenty = 500_000;

/** Prices at which fractions have to be rounded; none is so low that nothing is left of it. */
const assortment = [
  { name: 'Tea', price: 450, stock: plenty },
  { name: 'Coffee', price: 1_333, stock: plenty },
  { name: 'Kettle', price: 12_999, stock: plenty },
  { name: 'Newspaper', price: 275, stock: null },
];

/**
 * Made while nothing fails: what is to be tested comes afterwards.
 * @param adminKey of the operator
 */
export const openShop = async (url: string, adminKey: Token): Promise<Shop> => {
  const admin = new Client(() => url, adminKey);
  const make = async (path: string, body: object): Promise<Json> => {
    const { status, text, body: response } = await admin.post(path, body);
    if (status !== 201) throw new Error(`The shop cannot be opened: ${path} got ${status} ${text}`);
    return response.data;
  };
  const person = async (role: string, name: string): Promise<Token> => {
    const { id } = await make('/v1/users', { email: `${name}@example.com`, name, role });
    return (await make('/v1/api-keys', { user_id: id, name: 'Chaos' })).token;
  };
  const customers: Token[] = [];
  for (const name of ['ada', 'ben', 'cleo', 'dan']) customers.push(await person('customer', name));
  const staff = await person('staff', 'eve');
  const products: Product[] = [];
  for (const { name, price, stock } of assortment) {
    const { id } = await make('/v1/products', { name, price: { amount: price, currency: 'EUR' }, stock });
    products.push({ id, stock });
  }
  return { customers, staff, admin: adminKey, products };
};

/** What was in stock before anything was sold, in thousandths; null when the stock is not counted. */
export const stockBefore = (
  shop: Pick<Shop, 'products'>,
  requests: readonly RetriedRequest[],
): ReadonlyMap<string, number | null> => {
  const before = new Map<string, number | null>();
  const note = (id: string, stock: number | null) => before.set(id, stock === null ? null : stock * 1_000);
  for (const { id, stock } of shop.products) note(id, stock);
  for (const { request, response } of requests) {
    if (request.kind === 'product' && response?.subject)
      note(response.subject.id, JSON.parse(request.body).stock);
  }
  return before;
};
