import { randomInt } from 'node:crypto';
import { requestBytes } from '../load/request.ts';
import type { Catalogue } from './catalogue.ts';

/** What requests are made of. */
interface Material {
  readonly catalogue: Catalogue;
  readonly token: string;
}

/** One kind of request, asked over and over of Portico and of what it is held against. */
export interface Scenario {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  /** As they go over the wire; `{key}` stands for a new key. */
  requests(material: Material): readonly string[];
}

/** So many different ones, drawn from all over, that nobody answers them from what was just read. */
const many = 1_000;

const wire = (
  method: string,
  path: string,
  { token }: Pick<Material, 'token'>,
  body?: unknown,
  key?: string,
): string =>
  requestBytes(
    method,
    path,
    { Authorization: `Bearer ${token}`, ...(key !== undefined && { 'Idempotency-Key': key }) },
    body,
  ).toString();

const drawn = <T>(from: readonly T[], draw: (one: T) => string): string[] =>
  Array.from({ length: Math.min(many, from.length) }, () => draw(from[randomInt(from.length)] as T));

const reads = (material: Material): string[] =>
  drawn(material.catalogue.ids, (id) => wire('GET', `/v1/products/${id}`, material));

const orders = (material: Material): string[] =>
  drawn(material.catalogue.uncounted, (id) =>
    wire('POST', '/v1/orders', material, { product_id: id, quantity: 1 }, '{key}'),
  );

const listOf = (limit: number): Scenario => ({
  id: `list-${limit}`,
  name: `a list of ${limit}`,
  status: 200,
  requests: (material) => [wire('GET', `/v1/products?limit=${limit}`, material)],
});

const getOne: Scenario = { id: 'get-one', name: 'one product', status: 200, requests: reads };

export const scenarios: readonly Scenario[] = [
  getOne,
  listOf(20),
  { id: 'order', name: 'an order with a key', status: 201, requests: orders },
];
