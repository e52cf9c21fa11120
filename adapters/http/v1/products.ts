import { described } from '#adapters/wire/codec.ts';
import { money, moneyPatch, nullable, oneOf, quantity, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Product, productStatuses } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const name = described(text(Product.rules.name), 'What buyers read.', 'Ethiopia Yirgacheffe, 250 g');
const price = described(money, 'Of one unit.', { amount: 1290, currency: 'EUR' });

const aboutSku = ['A name of your own for it. No two have the same.', 'COF-ETH-250'] as const;
const status = described(
  oneOf(productStatuses),
  'Only what is active can be ordered, or seen by customers.',
  'active',
);

const optional = {
  description: described(
    nullable(text(Product.rules.description)),
    'As long as it takes to say it.',
    'Washed, roasted light. Bergamot and peach.',
  ),
  sku: described(nullable(text(Product.rules.sku)), ...aboutSku),
  status,
  stock: described(
    nullable(quantity(Quantity.stocked)),
    'How much is left, to three decimals; null where nobody counts.',
    12.5,
  ),
};

/** What a replacement leaves out goes back to what it is in a new product. */
const { defaults } = Product;

export const wholeProduct = strictObject({ name, price }, optional);
const productInPart = strictObject(
  {},
  { ...optional, name, price: described(moneyPatch, 'What is left out stays as it is.') },
);

const view = resourceView<Product>()('Product', { name, price, ...optional });

export const productRoutes = ({ products }: UseCases) => [
  route('GET /products', products.list, {
    summary: 'Lists products',
    filters: { status, sku: described(text(Product.rules.sku), ...aboutSku) },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(view),
  }),
  route('POST /products', products.create, {
    summary: 'Adds a product',
    body: wholeProduct,
    input: ({ body }) => ({ ...defaults, ...body }),
    responder: created(view),
  }),
  route('GET /products/{id}', products.get, {
    summary: 'Shows a product',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
  route('PUT /products/{id}', products.change, {
    summary: 'Replaces a product',
    body: wholeProduct,
    input: ({ path, expectedVersions, body }) => ({
      id: path.id,
      expectedVersions,
      changes: { ...defaults, ...body },
    }),
    responder: ok(view),
  }),
  route('PATCH /products/{id}', products.change, {
    summary: 'Changes a product',
    body: productInPart,
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, changes: body }),
    responder: ok(view),
  }),
  route('DELETE /products/{id}', products.remove, {
    summary: 'Removes a product',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
