import type { StockUse } from '../../../product-files/plan.ts';
import type { Choice } from '../../components/form.ts';
import { errorOf } from '../../errors.ts';
import type { Product } from '../../resources.ts';
import type { ImportFile } from './file.ts';
import { retryAfter429, type Sender } from './retry-after-429.ts';

/** What a column for the stock does, and what each means. */
export const stockUses: readonly Choice<NonNullable<StockUse>>[] = [
  [
    'replace',
    'Replaces the stock',
    'The number is what you can still sell, without what lies on the shelf for orders that are not sent yet: with 12 in stock, 40 makes it 40.',
  ],
  ['add', 'Is added to the stock', 'The number is what has arrived: with 12 in stock, 40 makes it 52.'],
  ['none', 'Leave out', 'The stock stays as it is.'],
];

const historyPage = 100;

/** Marks in the history what a file has added. The same content is the same file, whatever it is called. */
const markOf = ({ id }: ImportFile): string => `[${id.slice(-8)}]`;

const reasonOf = (file: ImportFile, verb: string): string =>
  `${verb} by the import of ${[...file.name].slice(0, 80).join('')} ${markOf(file)}`;

/** Whether this file was added to a stock before. An idempotency key expires after a day, the history does not. */
export const isAddedBefore = async (
  sender: Sender,
  file: ImportFile,
  productId: string,
): Promise<boolean> => {
  for (let cursor: string | undefined; ; ) {
    const page = cursor === undefined ? {} : { cursor };
    const query = { product_id: productId, sort: '-id', limit: historyPage, ...page } as const;
    const { data, pagination } = await retryAfter429(sender, (api, signal) =>
      api.send('GET /stock-changes', { query, signal }),
    );
    if (data.some(({ reason }) => reason?.startsWith('Added by') && reason.endsWith(markOf(file))))
      return true;
    if (pagination.next_cursor === null) return false;
    cursor = pagination.next_cursor;
  }
};

/**
 * Adds to a stock, once for each file.
 * @returns false when the file was added before
 */
export const addStock = async (
  sender: Sender,
  file: ImportFile,
  added: number,
  productId: string,
): Promise<boolean> => {
  if (await isAddedBefore(sender, file, productId)) return false;
  await changeStock(sender, {
    body: { product_id: productId, change: added, reason: reasonOf(file, 'Added') },
    // The same for each try, whatever the stock is: two tries at once add once.
    idempotencyKey: `import-add-${file.id}-${productId}`,
  });
  return true;
};

interface StockChange {
  readonly body: { readonly product_id: string; readonly change: number; readonly reason: string };
  readonly idempotencyKey: string;
}

const changeStock = (sender: Sender, change: StockChange) =>
  retryAfter429(sender, (api, signal) => api.send('POST /stock-changes', { ...change, signal }));

/** Changes of stocks without a response: they may have been made, and must be sent again as they were. */
const unanswered = new Map<string, StockChange>();

const placeOf = (file: ImportFile, productId: string): string => `${file.id} ${productId}`;

/**
 * Sets a counted stock to the value of a line, by the difference, so that the history shows it and sales meanwhile count.
 * @param keyOf returns an idempotency key for what is sent
 */
export const replaceStock = async (
  sender: Sender,
  file: ImportFile,
  { id, version, stock: before }: Pick<Product, 'id' | 'version' | 'stock'>,
  stock: number,
  keyOf: (target: string, ...sent: readonly unknown[]) => string,
): Promise<void> => {
  const change = (Math.round(stock * 1000) - Math.round((before ?? 0) * 1000)) / 1000;
  const body = { product_id: id, change, reason: reasonOf(file, 'Replaced') };
  unanswered.set(placeOf(file, id), { body, idempotencyKey: keyOf('stock', id, version, body) });
  await finishReplacing(sender, file, id);
};

/**
 * Sends a change of this file without a response again. The stock has changed since, so another difference would count twice.
 * @returns whether there was one
 */
export const finishReplacing = async (
  sender: Sender,
  file: ImportFile,
  productId: string,
): Promise<boolean> => {
  const place = placeOf(file, productId);
  const change = unanswered.get(place);
  if (change === undefined) return false;
  try {
    await changeStock(sender, change);
  } catch (error) {
    if ([404, 409, 422].includes(errorOf(error).status ?? 0)) unanswered.delete(place);
    throw error;
  }
  return unanswered.delete(place);
};
