import { described, required } from '#adapters/wire/codec.ts';
import { currency, instant, integer, money, text } from '#adapters/wire/codecs.ts';
import { view } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Sales } from '#domain/sales.ts';
import { TimeZone } from '#domain/time-zone.ts';
import { endOfPeriod } from '../routing/list-query.ts';
import { whole } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const count = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, violation: () => undefined });

const salesView = view<Sales>()('Sales', {
  from: described(
    instant,
    'When the period begins. What was created then is in it.',
    '2026-02-28T23:00:00.000Z',
  ),
  until: described(
    instant,
    'When it ends. What was created then is in the next.',
    '2026-03-01T23:00:00.000Z',
  ),
  currency,
  orderCount: described(count, 'Orders that were created in the period. Canceled ones are not counted.', 12),
  paidOrderCount: described(count, 'Those of them that are now `paid`, `fulfilled` or `refunded`.', 10),
  paid: described(money, 'The sum of the totals of the paid orders. Refunds are not subtracted.', {
    ...{ amount: 48200, currency: 'EUR' },
  }),
  refundCount: described(
    count,
    'Refunds that were created in the period and have succeeded, whenever their orders were created.',
    1,
  ),
  refunded: described(money, 'The sum of these refunds.', { amount: 2390, currency: 'EUR' }),
  captured: described(
    money,
    'What was taken of payments that were created in the period, offline ones included, whatever became of their orders. Refunds and disputes are not subtracted.',
    { amount: 48700, currency: 'EUR' },
  ),
  disputed: described(
    money,
    'The sum of disputes that were created in the period and are now open or lost.',
    { amount: 0, currency: 'EUR' },
  ),
});

/** More than there are currencies, on as many days as there can be. */
const maxRows = 10_000;

export const salesRoutes = ({ sales }: UseCases) => [
  route('GET /sales', sales.list, {
    summary: 'List sales by day and currency',
    filters: {
      from: required(
        described(
          endOfPeriod,
          'When the first period begins, such as midnight where the shop is. Any offset from UTC is possible; write a plus as `%2B`.',
          '2026-03-01T00:00:00Z',
        ),
      ),
      days: described(integer(Sales.days), 'How many periods there are. Defaults to 1.', 30),
      timeZone: described(
        text(TimeZone.rule),
        'The name of a time zone in the IANA database. Each period ends where its next local day begins. Without it, each has 24 hours.',
        'Europe/Vienna',
      ),
    },
    input: ({ filter: { from, days = 1, timeZone } }) => ({ from, days, timeZone }),
    responder: whole(salesView, maxRows),
  }),
];
