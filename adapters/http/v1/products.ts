import { described } from '#adapters/wire/codec.ts';
import {
  listOf,
  money,
  moneyPatch,
  nullable,
  oneOf,
  quantity,
  taxRate,
  text,
  unique,
} from '#adapters/wire/codecs.ts';
import { metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Product, productStatuses } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { Search } from '#domain/search.ts';
import { tag } from '#domain/tag.ts';
import { imageUrl } from '#domain/urls.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const name = described(
  text(Product.rules.name),
  'The name that customers see. Neither end may be white space or invisible.',
  'Ethiopia Yirgacheffe, 500 g',
);
const price = described(money, 'The price of one unit.', { amount: 2390, currency: 'EUR' });

const skuExample = 'COF-ETH-500';
const status = described(
  oneOf(productStatuses),
  'Only active products can be ordered, and customers see no others.',
  'active',
);

const optional = {
  description: described(
    nullable(text(Product.rules.description)),
    'A text for customers.',
    'Washed, roasted light. Bergamot and peach.',
  ),
  sku: described(
    nullable(text(Product.rules.sku)),
    'Your own unique identifier for the product, stored in Unicode normal form C. Neither end may be white space or invisible.',
    skuExample,
  ),
  status,
  stock: described(
    nullable(quantity(Quantity.stocked)),
    'The quantity that can still be ordered, with up to three decimals; null when stock is not tracked. What pending and paid orders have taken is not in it, and lies on the shelf until it is sent.',
    12.5,
  ),
  quantityStep: described(
    nullable(quantity(Quantity.ordered)),
    'Each ordered quantity is a whole multiple of it, such as 1 for pieces, when an item is added or its quantity changes; null allows any, with up to three decimals. Stock is not bound to it.',
    1,
  ),
  imageUrls: described(
    listOf(text(imageUrl), Product.maxImageUrls),
    'Addresses of images, the main one first. Portico keeps them as you send them, and never fetches them.',
    ['https://example.com/images/yirgacheffe.jpg'],
  ),
  tags: described(
    unique(listOf(text(tag), Product.maxTags)),
    'Words by which products are grouped and found. A PATCH replaces all of them.',
    ['coffee', 'single-origin'],
  ),
  taxRate: described(
    nullable(taxRate),
    'The tax that the price includes, in percent; null when none is shown. Items of orders keep the rate of their product.',
    20,
  ),
};

/** PUT resets the fields that it omits to the defaults of a new product. */
const { defaults } = Product;

export const wholeProduct = strictObject({ name, price }, { ...optional, metadata });
export const productPatch = strictObject(
  {},
  {
    name,
    price: described(moneyPatch, 'A part that you omit stays unchanged.'),
    ...optional,
    metadata: metadataPatch,
  },
);

export const productView = resourceView<Product>()('Product', { name, price, ...optional, metadata });

export const productRoutes = ({ products }: UseCases) => [
  route('GET /products', products.list, {
    summary: 'List products',
    filters: {
      status,
      sku: described(
        text(Product.rules.sku),
        'Looked for as it is given, then in Unicode normal form C.',
        skuExample,
      ),
      tag: described(text(tag), 'Products with this tag.', 'single-origin'),
      q: described(
        text(Search.rules.text),
        'Words, at most 8. Finds products that have, for each of them, a word in name, SKU, description or tags that begins with it. Case and accents do not matter; a single letter finds whole words only.',
        'ethiopia 500',
      ),
      stockBelow: described(
        quantity(Quantity.stocked),
        'Products whose stock is tracked and is less than this.',
        5,
      ),
    },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(productView),
  }),
  route('POST /products', products.create, {
    summary: 'Create a product',
    body: wholeProduct,
    input: ({ body }) => ({ ...defaults, ...body }),
    responder: created(productView),
  }),
  route('GET /products/{id}', products.get, {
    summary: 'Get a product',
    input: ({ path }) => path.id,
    responder: ok(productView),
  }),
  route('PUT /products/{id}', products.change, {
    summary: 'Replace a product',
    body: wholeProduct,
    input: ({ path, expectedVersions, body }) => ({
      id: path.id,
      expectedVersions,
      changes: { ...defaults, ...body },
    }),
    responder: ok(productView),
  }),
  route('PATCH /products/{id}', products.change, {
    summary: 'Update a product',
    body: productPatch,
    input: ({ path, expectedVersions, body: { metadata: patch, ...changes } }) => ({
      ...{ id: path.id, expectedVersions, changes, metadataPatch: patch },
    }),
    responder: ok(productView),
  }),
  route('DELETE /products/{id}', products.remove, {
    summary: 'Delete a product',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
