// What a program does with the clients that are generated from the OpenAPI document. The test copies this file beside them,
// compiles it in strict mode, and runs it.
import { client } from './hey-api/client.gen.js';
import {
  createOrder,
  createProduct,
  listProducts,
  type NewOrderOfItems,
  type Order as OrderOfHeyApi,
  type Product as ProductOfHeyApi,
} from './hey-api/index.js';
import type { paths } from './openapi-typescript.js';
import { createApiClient } from './openapi-zod-client.js';
import type { Order as OrderOfOrval7, Product as ProductOfOrval7 } from './orval-7/portico.schemas.js';
import type { Order as OrderOfOrval8, Product as ProductOfOrval8 } from './orval-8/portico.schemas.js';

/** Whether two types are the same. `any` and `unknown` are the same as none. */
type Same<A, B> = unknown extends A ? false : [A, B] extends [B, A] ? true : false;
type True<T extends true> = T;

type List = paths['/v1/products']['get']['responses'][200]['content']['application/json'];
type Products = Awaited<ReturnType<ReturnType<typeof createApiClient>['listProducts']>>['data'];

/** The type of a field in the output of each generator. */
export type Descriptions = [
  True<Same<ProductOfHeyApi['description'], string | null>>,
  True<Same<ProductOfOrval7['description'], string | null>>,
  True<Same<ProductOfOrval8['description'], string | null>>,
  True<Same<List['data'][number]['description'], string | null>>,
  True<Same<Products[number]['description'], string | null>>,
];

type Orders = paths['/v1/orders']['get']['responses'][200]['content']['application/json']['data'];
type OrdersOfZod = Awaited<ReturnType<ReturnType<typeof createApiClient>['listOrders']>>['data'];

/** A later release may send another status: it can be any text. */
export type Statuses = [
  True<Same<OrderOfHeyApi['status'], string>>,
  True<Same<OrderOfOrval7['status'], string>>,
  True<Same<OrderOfOrval8['status'], string>>,
  True<Same<Orders[number]['status'], string>>,
  True<Same<OrdersOfZod[number]['status'], string>>,
];

type NewOrder = paths['/v1/orders']['post']['requestBody']['content']['application/json'];

/** Both forms of the body of an order. */
export const newOrders = (productId: string): readonly NewOrder[] => {
  const line = { product_id: productId, quantity: 2 };
  const ofItems: NewOrderOfItems = { items: [line, line] };
  return [line, ofItems];
};

/** @returns how many items the order has */
export const orderWithHeyApi = async (productId: string): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (const body of newOrders(productId)) {
    const { data } = await createOrder({ body, throwOnError: true });
    counts.push(data.data.item_count);
  }
  return counts;
};

/** @returns the ids of the product that is created, and of those that are found by its SKU */
export const callWithHeyApi = async (key: string, sku: string): Promise<readonly string[]> => {
  client.setConfig({ auth: key });
  const price = { amount: 450, currency: 'EUR' } as const;
  const created = await createProduct({ body: { name: 'Sencha', price, sku }, throwOnError: true });
  const found = await listProducts({ query: { sku }, throwOnError: true });
  return [created.data.data.id, ...found.data.data.map(({ id }) => id)];
};

/** As above, with a client that checks every response by its zod schema. */
export const callWithZod = async (url: string, key: string, sku: string): Promise<readonly string[]> => {
  const api = createApiClient(url, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });
  const created = await api.createProduct({ name: 'Sencha', price: { amount: 450, currency: 'EUR' }, sku });
  const found = await api.listProducts({ queries: { sku } });
  return [created.data.id, ...found.data.map(({ id }) => id)];
};
