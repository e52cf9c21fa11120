import type { BodyOf } from '../../../client/index.ts';
import { ChangedMeanwhileError, errorOf } from '../../errors.ts';
import { formatMoney, formatQuantity, parseThousandths } from '../../format.ts';
import { parseMoney } from '../../money.ts';
import type { Money, Product } from '../../resources.ts';
import type { Context } from '../../view.ts';

const maxRepetitions = 3;

/**
 * Changes a product unless one of the same fields has changed since it was shown. Its version alone also grows with each sale, so
 * then the change is repeated for the new version.
 * @returns the product as it is now
 * @throws PorticoError; ChangedMeanwhileError when one of the fields has changed
 */
export const changeProduct = async (
  { api }: Calling,
  shown: Product,
  body: BodyOf<'PATCH /products/{id}'>,
): Promise<Product> => {
  const path = { id: shown.id };
  let product = shown;
  for (let repetition = 0; ; repetition += 1) {
    try {
      return (await api.send('PATCH /products/{id}', { path, body, ifMatch: product.version })).data;
    } catch (error) {
      if (errorOf(error).code !== 'PRECONDITION_FAILED' || repetition === maxRepetitions) throw error;
      const now = (await api.send('GET /products/{id}', { path })).data;
      product = now;
      const changed = Object.keys(body).filter((name) => !isSame(fieldOf(now, name), fieldOf(shown, name)));
      if (changed.length > 0) throw changedMeanwhile(now, changed);
    }
  }
};

type Calling = Pick<Context, 'api'>;

/** A product, as a person sees it who edits its stock. */
export interface SeenProduct extends Product {
  /** The id of the newest change of its stock by hand, null where there is none; undefined while it is unknown. */
  readonly stockChange?: string | null;
}

/** Whether fields of a product have changed since it was shown. */
export const isProductChanged = (error: unknown): error is ChangedMeanwhileError<Product> =>
  error instanceof ChangedMeanwhileError;

/** A field by a name that a body has. */
export const fieldOf = (product: object, name: string): unknown => Reflect.get(product, name);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const changedMeanwhile = (product: Product, changed: readonly string[]) => {
  const values = changed.map((name) => `${names[name] ?? name} is now ${textOf(name, product)}`);
  return new ChangedMeanwhileError(
    `It was changed meanwhile: ${values.join(', ')}. Save again to replace that.`,
    product,
  );
};

const names: Readonly<Record<string, string>> = {
  tax_rate: 'tax rate',
  quantity_step: 'step',
  image_urls: 'images',
};

const textOf = (name: string, product: Product): string => {
  if (name === 'price') return formatMoney(product.price);
  const value = fieldOf(product, name);
  const text = Array.isArray(value) ? value.join(', ') : `${value ?? 'empty'}`;
  return text.length > 60 ? 'another text' : text || 'empty';
};

/** @returns the price as the body of a change @throws Error that explains why a text is no price */
export const priceOf = (text: string, currency: string): Money => ({
  amount: parseMoney(text, currency),
  currency,
});

/**
 * What a person means by a stock: `40` is a count, `+12` and `-2` are what came and went.
 * @param stock as it is now; null when it is not counted
 * @returns the difference and the stock after it; undefined for anything else
 */
const parseStock = (text: string, stock: number | null): ParsedStock | undefined => {
  const [, sign = '', digits = ''] = /^([+−-]?)\s*(.*)$/.exec(text.trim()) ?? [];
  const thousandths = parseThousandths(digits);
  if (thousandths === undefined) return undefined;
  const now = Math.round((stock ?? 0) * 1000);
  const change = sign === '' ? thousandths - now : sign === '+' ? thousandths : -thousandths;
  return { change: change / 1000, after: (now + change) / 1000, isCount: sign === '' };
};

interface ParsedStock {
  readonly change: number;
  readonly after: number;
  readonly isCount: boolean;
}

/** What saving a text as stock would do, in words. */
export const aboutStock = (text: string, stock: number | null): string => {
  const parsed = parseStock(text, stock);
  if (stock === null)
    return parsed?.isCount
      ? `${formatQuantity(parsed.after)} in stock, counted from then on.`
      : 'Type how many there are, and they are counted from then on.';
  if (parsed === undefined || (parsed.isCount && parsed.change === 0))
    return 'Type what you counted, or +12 and −2 for what came and went.';
  const { change, after } = parsed;
  if (after < 0) return `Only ${formatQuantity(stock)} are there.`;
  return `${change < 0 ? 'Removes' : 'Adds'} ${formatQuantity(Math.abs(change))}: ${formatQuantity(after)} in stock.`;
};

/**
 * A product with its newest change by hand, `stockChange`: the id, or null. Of two people who count the same shelf, the second would
 * otherwise add the same difference once more.
 */
export const readToCount = async (context: Calling, id: string): Promise<SeenProduct> => {
  const [product, stockChange] = await Promise.all([
    readProduct(context, id),
    newestStockChange(context, id),
  ]);
  return { ...product, stockChange };
};

const newestStockChange = async ({ api }: Calling, id: string): Promise<string | null> => {
  const query = { product_id: id, sort: '-id', limit: 1 } as const;
  return (await api.send('GET /stock-changes', { query })).data[0]?.id ?? null;
};

/** @throws ChangedMeanwhileError when the stock was changed by hand since it was read, if that is known */
const requireUncounted = async (context: Calling, { id, stockChange }: SeenProduct): Promise<void> => {
  if (stockChange === undefined || (await newestStockChange(context, id)) === stockChange) return;
  const product = await readToCount(context, id);
  throw new ChangedMeanwhileError(
    `It was counted or changed by hand meanwhile: stock is now ${formatQuantity(product.stock ?? 0)}. Save again if what you typed is still right.`,
    product,
  );
};

/**
 * Changes a stock by the difference, so that what is sold meanwhile is not lost. Only a stock that was not counted is set.
 * @returns the product as it is now
 * @throws PorticoError; ChangedMeanwhileError when the stock was changed by hand since, and the text is a count
 */
export const changeStock = async (
  context: Calling,
  product: SeenProduct,
  text: string,
  reason: string,
  idempotencyKey: string,
): Promise<Product> => {
  const { api } = context;
  const parsed = parseStock(text, product.stock);
  if (parsed === undefined) throw new Error(`Type a number such as 40, +12 or −2, not “${text}”.`);
  const { change, after, isCount } = parsed;
  if (after < 0) throw new Error(`Only ${formatQuantity(product.stock ?? 0)} are there.`);
  if (product.stock === null) {
    if (!isCount) throw new Error('Nothing is counted yet. Type how many there are.');
    return changeProduct(context, product, { stock: after });
  }
  if (isCount) await requireUncounted(context, product);
  if (change !== 0) {
    const body = { product_id: product.id, change, ...(reason !== '' && { reason }) };
    await api.send('POST /stock-changes', { body, idempotencyKey });
  }
  return readProduct(context, product.id);
};

export const readProduct = async ({ api }: Calling, id: string): Promise<Product> =>
  (await api.send('GET /products/{id}', { path: { id } })).data;
