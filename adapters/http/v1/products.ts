import type { UseCases } from '#application/portico.ts';
import { Product, productStatuses } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { created, many, nothing, one } from '../answers.ts';
import { money, moneyInPart, nullable, oneOf, quantity, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from '../view.ts';

const name = text(Product.rules.name);

const optional = {
  description: nullable(text(Product.rules.description)),
  sku: nullable(text(Product.rules.sku)),
  status: oneOf(productStatuses),
  stock: nullable(quantity(Quantity.stocked)),
};

/** What a product is when nothing is said of it, and what a replacement that leaves it out goes back to. */
const unsaid = { description: null, sku: null, status: 'active', stock: null } as const;

const wholeProduct = record({ name, price: money }, optional);
const productInPart = record({}, { ...optional, name, price: moneyInPart });

const view = resourceView<Product>()('Product', { name, price: money, ...optional });

export const productRoutes = ({ products }: UseCases): readonly Route[] => [
  route('GET /products', products.list, {
    summary: 'Lists products',
    filters: { status: oneOf(productStatuses), sku: text(Product.rules.sku) },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /products', products.create, {
    summary: 'Adds a product',
    body: wholeProduct,
    input: ({ body }) => ({ ...unsaid, ...body }),
    answer: created(view),
  }),
  route('GET /products/{id}', products.get, {
    summary: 'Shows a product',
    input: ({ path }) => path.id,
    answer: one(view),
  }),
  route('PUT /products/{id}', products.change, {
    summary: 'Replaces a product',
    body: wholeProduct,
    input: ({ path, seen, body }) => ({ id: path.id, seen, changes: { ...unsaid, ...body } }),
    answer: one(view),
  }),
  route('PATCH /products/{id}', products.change, {
    summary: 'Changes a product',
    body: productInPart,
    input: ({ path, seen, body }) => ({ id: path.id, seen, changes: body }),
    answer: one(view),
  }),
  route('DELETE /products/{id}', products.remove, {
    summary: 'Removes a product',
    input: ({ path, seen }) => ({ id: path.id, seen }),
    answer: nothing,
  }),
];
