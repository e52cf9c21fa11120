import { created, noContent, ok, page as pageOf } from '#adapters/http/routing/responders.ts';
import { type Route, route } from '#adapters/http/routing/route.ts';
import { productPatch, productView, wholeProduct } from '#adapters/http/v1/products.ts';
import { codec } from '#adapters/wire/codec.ts';
import type { UseCases } from '#application/application.ts';
import { query } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { right } from '../route-shop.ts';
import type { Table } from '../table.ts';

const { defaults } = Product;

/** A resource that no version has: products under another name. */
const shelves = ({ products }: UseCases): readonly Route[] => [
  route('GET /shelves', products.list, {
    summary: 'List shelves',
    filters: {},
    input: ({ filter, page }) => ({ filter, page }),
    responder: pageOf(productView),
  }),
  route('POST /shelves', products.create, {
    summary: 'Create a shelf',
    body: wholeProduct,
    input: ({ body }) => ({ ...defaults, ...body }),
    responder: created(productView),
  }),
  route('GET /shelves/{id}', products.get, {
    summary: 'Get a shelf',
    input: ({ path }) => path.id,
    responder: ok(productView),
  }),
  route('PATCH /shelves/{id}', products.change, {
    summary: 'Update a shelf',
    body: productPatch,
    input: ({ path, expectedVersions, body: { metadata: metadataPatch, ...changes } }) => ({
      ...{ id: path.id, expectedVersions, changes, metadataPatch },
    }),
    responder: ok(productView),
  }),
  route('DELETE /shelves/{id}', products.remove, {
    summary: 'Delete a shelf',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];

/** Takes unknown fields, and drops them. */
const laxBody = codec('lax', {
  schema: wholeProduct.schema,
  validate: (input, context) => {
    const known = Object.keys(wholeProduct.schema.properties ?? {});
    const fields = Object.entries(input as object).filter(([name]) => known.includes(name));
    return wholeProduct.validate(Object.fromEntries(fields), context);
  },
  encode: () => undefined,
});

const untold = query(
  'products:read',
  ['product-not-found'],
  (_caller, id: ProductId) =>
    async ({ products }) => {
      const found = await products.find(id);
      if (found === undefined) throw new DomainError('product-not-found', `There is no shelf ${id}.`);
      return found;
    },
);

/** Routes that are declared wrongly, each in one way. */
const wrongShelves = ({ products }: UseCases): readonly Route[] => [
  route('POST /lax-shelves', products.create, {
    summary: 'Create a shelf from anything',
    body: laxBody,
    input: ({ body }) => ({ ...defaults, ...body }),
    responder: created(productView),
  }),
  route('GET /lax-shelves/{id}', untold, {
    summary: 'Get a shelf that always has one version, or learn its id',
    input: ({ path }) => path.id,
    responder: {
      ...ok(productView),
      respond: (shelf) => ({
        status: 200,
        headers: { ETag: '"7"' },
        body: JSON.stringify({ data: productView.encode(shelf) }),
      }),
    },
  }),
  route('PATCH /lax-shelves/{id}', products.change, {
    summary: 'Update a shelf at any version',
    body: productPatch,
    input: ({ path, body: { metadata: metadataPatch, ...changes } }) => ({
      ...{ id: path.id, expectedVersions: undefined, changes, metadataPatch },
    }),
    responder: ok(productView),
  }),
  route('GET /lax-shelves', products.list, {
    summary: 'List shelves without their end',
    filters: {},
    input: ({ filter, page }) => ({ filter, page }),
    responder: {
      ...pageOf(productView),
      respond: (found, request) => pageOf(productView).respond({ ...found, hasMore: false }, request),
    },
  }),
  route('GET /relics/{id}', products.get, {
    summary: 'Get what no request creates, and no list has',
    input: ({ path }) => path.id,
    responder: ok(productView),
  }),
];

/** The table of the API with these routes behind it. */
export const withShelves: Table = (useCases) => [
  ...right(useCases),
  ...shelves(useCases),
  ...wrongShelves(useCases),
];
