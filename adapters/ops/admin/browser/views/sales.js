/* Sums of the rows of `GET /sales`: one for each day and currency that has an order or refund. */

/** The reader's midnights of the last days, today's last. */
export const daysOf = (now, count) =>
  Array.from(
    { length: count },
    (_, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index)),
  );

/** Those with the most orders first. */
export const currenciesOf = (rows) => {
  const orders = new Map();
  for (const { currency, order_count: count } of rows)
    orders.set(currency, (orders.get(currency) ?? 0) + count);
  return [...orders].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
};

/** The sum of one currency from a day on. A row belongs to the day in which it begins. */
export const sumOf = (rows, currency, from, until = undefined) => {
  const chosen = rows.filter(
    (row) =>
      row.currency === currency &&
      new Date(row.from) >= halfADayBefore(from) &&
      (until === undefined || new Date(row.from) < halfADayBefore(until)),
  );
  const sum = (amountOf) => chosen.reduce((total, row) => total + amountOf(row), 0);
  return {
    orders: sum(({ order_count: count }) => count),
    paidOrders: sum(({ paid_order_count: count }) => count),
    paid: { amount: sum(({ paid }) => paid.amount), currency },
    refunded: { amount: sum(({ refunded }) => refunded.amount), currency },
  };
};

/** Around a change of the clocks a period of 24 hours begins an hour beside the reader's midnight. */
const halfADayBefore = (day) => new Date(day.getTime() - 12 * 3_600_000);
