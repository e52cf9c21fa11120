import { digitsOf } from '../../format.ts';
import { ownField, ownNameOf } from './columns.js';
import { readDecimal, readThousandths, withoutCurrency } from './numbers.js';

/**
 * The texts of a row by field. Columns that are left out have none; own fields are in `own` by their names.
 * @param chosen the field of each column
 */
export const textsOf = (cells, header, chosen) => {
  const texts = {};
  const own = {};
  chosen.forEach((field, index) => {
    const cell = cells[index] ?? '';
    if (field === ownField) own[ownNameOf(header[index])] = cell;
    else if (field !== undefined) texts[field] = cell;
  });
  if (Object.keys(own).length > 0) texts.own = own;
  return texts;
};

/**
 * What a row says of a product, as `PATCH /products/{id}` takes it. An empty cell empties a field; one that cannot be empty, as
 * a name, is left out.
 * @param options `currency` of rows that name none, and the `sign` before decimals, if it is known
 * @returns `fields`, and `errors` that each begin with the name of a field
 */
export const productOf = (texts, { currency, sign }) => {
  const errors = [];
  const fields = {};
  const read = (name, reading) => {
    if (reading.error === undefined) fields[name] = reading.value;
    else errors.push(`${name} ${reading.error}`);
  };
  const trimmed = (name) => texts[name]?.trim();
  const sku = trimmed('sku');
  if (!sku) errors.push('has no article number (SKU)');
  if (trimmed('name')) fields.name = trimmed('name');
  if (texts.description !== undefined) fields.description = texts.description || null;
  for (const name of ['stock', 'quantity_step', 'tax_rate']) {
    const text = trimmed(name)?.replace(/\s*%$/, '');
    if (text === '') fields[name] = null;
    else if (text !== undefined) read(name, readThousandths(text, sign, name !== 'tax_rate', examples[name]));
  }
  if (texts.tags !== undefined)
    fields.tags = [...new Set(listOf(texts.tags).map(slugOf))].filter((tag) => tag !== '');
  if (texts.image_urls !== undefined) fields.image_urls = [...new Set(listOf(texts.image_urls))];
  const status = trimmed('status')?.toLowerCase();
  if (status) fields.status = statuses[status] ?? status;
  const code = trimmed('currency')?.toUpperCase() || currency;
  if (trimmed('price_amount')) readAmount(trimmed('price_amount'), code, read);
  else if (trimmed('price')) readPrice(trimmed('price'), code, sign, read);
  const metadata = metadataOf(texts, errors);
  if (metadata !== undefined) fields.metadata = metadata;
  return { sku: sku?.normalize('NFC'), fields, errors };
};

/** Of numbers that are no prices. */
const examples = { stock: '12', quantity_step: '0.25', tax_rate: '19' };

const readPrice = (text, code, sign, read) => {
  if (!isCurrency(code)) return read('currency', { error: `must be three letters such as EUR, not ${code}` });
  const { value, error } = readDecimal(withoutCurrency(text, code), digitsOf(code), sign);
  return read('price', error === undefined ? priceOf(value, code, text) : { error });
};

const readAmount = (text, code, read) =>
  read(
    'price',
    /^\d{1,20}$/.test(text)
      ? priceOf(Number(text), code, text)
      : { error: `in cents must be a whole number such as 1290, not ${text}` },
  );

/** A larger number is not exact, and the API takes none. */
const priceOf = (amount, currency, text) =>
  Number.isSafeInteger(amount)
    ? { value: { amount, currency } }
    : { error: `must be less than 2^53 of the smallest unit, not ${text}` };

export const isCurrency = (code) => /^[A-Z]{3}$/.test(code ?? '');

/** How other shops say that customers see a product. */
const statuses = {
  ...{ published: 'active', true: 'active', yes: 'active', 1: 'active' },
  ...{ unlisted: 'draft', unpublished: 'draft', false: 'draft', no: 'draft', 0: 'draft', '-1': 'draft' },
};

/** Addresses may have commas inside: the next one begins behind a separator. */
const listOf = (text) =>
  text
    .split(/^\s*https?:\/\//i.test(text) ? /[,\s]+(?=https?:\/\/|$)/i : /[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** `Été 2026` becomes `ete-2026`. */
const slugOf = (text) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');

const metadataOf = ({ metadata, own }, errors) => {
  if (metadata === undefined && own === undefined) return undefined;
  const single = Object.entries(own ?? {}).map(([name, text]) => [name, text === '' ? null : text]);
  try {
    const whole = metadata?.trim() ? JSON.parse(metadata) : {};
    if (whole === null || typeof whole !== 'object' || Array.isArray(whole))
      throw new SyntaxError('no object');
    return { ...whole, ...Object.fromEntries(single) };
  } catch {
    errors.push('metadata must be a JSON object, such as {"colour":"blue"}');
    return undefined;
  }
};
