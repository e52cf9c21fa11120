export const isCurrency = (code: string): boolean => /^[A-Z]{3}$/.test(code);

/**
 * A price without the sign or the code of its currency, which spreadsheets write beside it: `7,50 €`, `EUR 7.50`. Those of
 * another currency stay, so that the price is rejected.
 */
export const withoutCurrency = (price: string, currency: string): string => {
  if (!isCurrency(currency)) return price;
  for (const mark of [currency, signOf(currency)]) {
    const rest = price.startsWith(mark)
      ? price.slice(mark.length)
      : price.endsWith(mark) && price.slice(0, -mark.length);
    if (rest !== false && /^\s*\d[^\p{L}\p{Sc}]*$/u.test(rest)) return rest.trim();
  }
  return price;
};

/** A format is slow to make, and a file has a price in each line. */
const signs = new Map<string, string>();

/** `€` for EUR. */
const signOf = (currency: string): string => {
  const known = signs.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  signs.set(currency, sign);
  return sign;
};
