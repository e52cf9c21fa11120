import { described } from '#adapters/wire/codec.ts';
import { id, nullable, quantity, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Quantity } from '#domain/quantity.ts';
import { StockChange } from '#domain/stock-change.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const productId = described(id('product'), 'The product whose stock changes. It must have a counted stock.');
const change = described(
  quantity(Quantity.changed),
  'What is added to the stock, or removed from it when it is negative, with up to three decimals. Not 0.',
  -2.5,
);
const reason = described(
  nullable(text(StockChange.rules.reason)),
  'A reason for your records.',
  'Broken in transport',
);

export const stockChangeView = resourceView<StockChange>()('StockChange', {
  productId,
  change,
  reason,
  stockAfter: described(quantity(Quantity.stocked), 'The stock after the change.', 10),
});

export const stockChangeRoutes = ({ stockChanges }: UseCases) => [
  route('GET /stock-changes', stockChanges.list, {
    summary: 'List stock changes',
    filters: { productId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(stockChangeView),
  }),
  route('POST /stock-changes', stockChanges.create, {
    summary: 'Change a stock',
    body: strictObject({ productId, change }, { reason }),
    input: ({ body }) => ({ reason: null, ...body }),
    responder: created(stockChangeView),
  }),
  route('GET /stock-changes/{id}', stockChanges.get, {
    summary: 'Get a stock change',
    input: ({ path }) => path.id,
    responder: ok(stockChangeView),
  }),
];
