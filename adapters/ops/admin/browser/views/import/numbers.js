// Numbers as people write them, read as `portico import products` reads them: never rounded, and rejected when they can mean two.

const characters = { dot: '.', comma: ',' };

/** Between the thousands of a number, besides the sign that does not separate decimals: spaces and apostrophes. */
const groupSpaces = /(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g;

/**
 * @param maxDecimals how many decimals the unit has
 * @param sign `dot` or `comma`; undefined when either may stand before the decimals
 * @param example a number as it is expected
 * @returns `value` in units of the last decimal, or `error`, which follows the field's name
 */
export const readDecimal = (text, maxDecimals, sign, example = priceExample(maxDecimals)) => {
  const digits = text.trim().replaceAll(groupSpaces, '');
  const readings = (sign === undefined ? ['dot', 'comma'] : [sign]).flatMap(
    (one) => splitAt(digits, one) ?? [],
  );
  const [first, second] = readings;
  if (first === undefined) return { error: notANumber(text, sign, example) };
  const isAmbiguous =
    second !== undefined && (first.whole !== second.whole || first.decimals !== second.decimals);
  // A dot before as many decimals as the currency has is how programs write a price: 1.500 in KWD.
  if (isAmbiguous && !(maxDecimals === 3 && /^\d+\.\d{3}$/.test(digits))) return { error: ambiguous(text) };
  const decimals = first.decimals.replace(/0+$/, '');
  if (decimals.length > maxDecimals)
    return { error: `must have at most ${maxDecimals} decimals, not ${text}` };
  return { value: Number(first.whole + decimals.padEnd(maxDecimals, '0')) };
};

/** Reads a number with up to three decimals. A stock of 1.000 may be a thousand. */
export const readThousandths = (text, sign, mayBeThousands, example = '12') => {
  if (mayBeThousands && sign === undefined && /^[1-9]\d{0,2}\.\d{3}$/.test(text))
    return { error: ambiguous(text) };
  const { value, error } = readDecimal(text, 3, sign, example);
  return error === undefined ? { value: value / 1000 } : { error };
};

const ambiguous = (text) =>
  `must not be ${text}, which ${canMeanTwo}; choose under “Numbers are written” what separates decimals`;

const canMeanTwo = 'can mean two numbers';

/** Whether it would help to say how the file writes numbers. */
export const isAboutSign = ({ reason }) => reason.includes(canMeanTwo);

const priceExample = (maxDecimals) => (maxDecimals === 0 ? '1290' : '12.90');

const notANumber = (text, sign, example) =>
  /^[-\u2212]\s*\d/.test(text)
    ? `must be a number of 0 or more, not ${text}`
    : `must be a number such as ${sign === 'comma' ? example.replace('.', ',') : example}, not ${text}`;

const splitAt = (text, sign) => {
  const group = characters[sign === 'dot' ? 'comma' : 'dot'];
  const [whole = '', decimals = '', ...others] = text.split(characters[sign]);
  if (others.length > 0 || whole + decimals === '' || !/^\d*$/.test(decimals)) return undefined;
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(\\${group}\\d{3})+$`).test(whole);
  if (!isGrouped && !/^\d*$/.test(whole)) return undefined;
  return { whole: whole.replaceAll(group, '') || '0', decimals };
};

/** A price without the sign or the code of its currency: `7,50 €`, `EUR 7.50`. Those of another currency stay. */
export const withoutCurrency = (text, currency) => {
  for (const mark of [currency, signOf(currency)]) {
    const rest = text.startsWith(mark)
      ? text.slice(mark.length)
      : text.endsWith(mark) && text.slice(0, -mark.length);
    if (rest !== false && /^\s*\d[^\p{L}\p{Sc}]*$/u.test(rest)) return rest.trim();
  }
  return text;
};

/* A format is slow to make, and a file has a price in each line. */
const signs = new Map();

const signOf = (currency) => {
  if (!signs.has(currency)) {
    const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
    const parts = new Intl.NumberFormat('en', options).formatToParts(0);
    signs.set(currency, parts.find(({ type }) => type === 'currency').value);
  }
  return signs.get(currency);
};
