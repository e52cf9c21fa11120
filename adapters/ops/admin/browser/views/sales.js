/* Sums of the rows of `GET /sales`: one for each day and currency that has an order or refund. */

/** The reader's midnights of the last days, today's last. */
export const daysOf = (now, count) =>
  Array.from(
    { length: count },
    (_, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index)),
  );

/**
 * Reads the sales of these days. They are as long as by the reader's clocks: 23 or 25 hours where these are changed.
 * @param read sends `GET /sales` with a query
 */
export const readSales = async (read, days) => {
  const query = { from: days[0].toISOString(), days: days.length };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    return await read({ ...query, time_zone: timeZone });
  } catch (error) {
    // The server does not know this zone, so only days in which clocks are changed are wrong.
    if (error.status !== 422) throw error;
    return read(query);
  }
};

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
    captured: { amount: sum(({ captured }) => captured.amount), currency },
    disputed: { amount: sum(({ disputed }) => disputed.amount), currency },
  };
};

/** Where the browser knows another change of the clocks than the server, a period begins beside the reader's midnight. */
const halfADayBefore = (day) => new Date(day.getTime() - 12 * 3_600_000);
