import { changesOf, RejectedError, requireNew, stockToAddTo } from '../../../product-files/compare.ts';
import type { EmptiedField } from '../../../product-files/emptied.ts';
import type { PlannedProduct } from '../../../product-files/plan.ts';
import { errorOf } from '../../errors.ts';
import type { Product } from '../../resources.ts';
import type { ImportFile } from './file.ts';
import { retryAfter429, type Sender, workThrough } from './retry-after-429.ts';
import { type ImportSettings, optionsOf } from './settings.ts';
import { addStock, finishReplacing, replaceStock } from './stock.ts';

/** A line that is left out. */
export interface OmittedLine {
  readonly line: number;
  readonly sku?: string | undefined;
  readonly reason: string;
  /** Fields that an empty cell would have emptied. */
  readonly emptied?: readonly EmptiedField[];
}

/** How far an import has come. */
export interface ImportCounts {
  readonly done: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Of the unchanged, those to whose stock the file was added before. */
  readonly notAgain: number;
  /** Of each product with one, the fields that an empty cell has emptied. */
  readonly emptied: readonly (readonly EmptiedField[])[];
  readonly rejected: readonly OmittedLine[];
}

interface SendOptions extends Sender {
  readonly file: ImportFile;
  readonly products: readonly PlannedProduct[];
  readonly settings: ImportSettings;
  readonly onProgress: (counts: ImportCounts) => void;
}

/**
 * Adds the products whose SKUs are new, and updates what differs of the others, as `portico import products` does; what it changes of
 * counted stocks is in their history. The same file can be sent again at any time: an idempotency key follows from its content, the
 * line, and what is sent, and no file is added to a stock twice. What has been sent before the signal ends it counts.
 * @throws PorticoError when no product can be sent any more
 */
export const sendProducts = async (options: SendOptions): Promise<void> => {
  const { signal, products, onProgress } = options;
  let counts: ImportCounts = {
    ...{ done: 0, added: 0, updated: 0, unchanged: 0, notAgain: 0 },
    ...{ emptied: [], rejected: [] },
  };
  await workThrough(
    products,
    () => signal.aborted,
    async (product) => {
      const sent = await upsert(options, product).catch((error: unknown) => omitted(product, error));
      counts = { ...withSent(counts, sent), done: counts.done + 1 };
      onProgress(counts);
    },
  );
};

interface Sent {
  readonly outcome: 'added' | 'updated' | 'unchanged';
  readonly isNotAgain?: boolean;
  readonly emptied?: readonly EmptiedField[];
}

const withSent = (counts: ImportCounts, sent: Sent | OmittedLine): ImportCounts => {
  if (!('outcome' in sent)) return { ...counts, rejected: [...counts.rejected, sent] };
  const { outcome, isNotAgain = false, emptied = [] } = sent;
  return {
    ...counts,
    [outcome]: counts[outcome] + 1,
    notAgain: counts.notAgain + (isNotAgain ? 1 : 0),
    emptied: emptied.length > 0 ? [...counts.emptied, emptied] : counts.emptied,
  };
};

/** @throws the error when it is not about this product alone */
const omitted = ({ line, sku }: PlannedProduct, error: unknown): OmittedLine => {
  if (error instanceof RejectedError) return { line, sku, reason: error.message, emptied: error.emptied };
  const { status = 0, message, details = [] } = errorOf(error);
  if (![404, 409, 412, 422].includes(status)) throw error;
  const texts = details.map(({ field, message: text }) => `${field} ${text}`);
  return { line, sku, reason: texts.length === 0 ? message : texts.join('; ') };
};

/** Returns an idempotency key for what is sent for one line of the file. */
type LineKey = (target: string, ...sent: readonly unknown[]) => string;

const upsert = async (options: SendOptions, product: PlannedProduct): Promise<Sent> => {
  const { file } = options;
  const { added = 0 } = product;
  const keyOf: LineKey = (...sent) => `import-${file.id}-${product.line}-${sumOf(sent)}`;
  const existing = await find(options, product);
  if (existing === undefined) {
    const created = await create(options, product, keyOf);
    if (added > 0) await addStock(options, file, added, created);
    return { outcome: 'added' };
  }
  const { id, version } = existing;
  const { changes: all, emptied } = changesOf(product, existing, optionsOf(options.settings));
  const { stock: target, ...rest } = all;
  const isReplaced = await finishReplacing(options, file, id);
  const changes = isReplaced || target === undefined ? rest : { ...rest, stock: target };
  if (added > 0) stockToAddTo(existing);
  // The history shows changes of a counted stock. One that begins or ends to be counted has none.
  const counted = typeof target === 'number' && existing.stock !== null && !isReplaced ? target : undefined;
  const body = counted === undefined ? changes : rest;
  if (Object.keys(body).length > 0) {
    const idempotencyKey = keyOf('PATCH', id, version, body);
    await retryAfter429(options, (api, signal) =>
      api.send('PATCH /products/{id}', { path: { id }, body, idempotencyKey, signal }),
    );
  }
  if (counted !== undefined) await replaceStock(options, file, existing, counted, keyOf);
  const isAdded = added > 0 && (await addStock(options, file, added, id));
  const isUpdated = Object.keys(changes).length > 0 || isReplaced || isAdded;
  return { outcome: isUpdated ? 'updated' : 'unchanged', isNotAgain: added > 0 && !isAdded, emptied };
};

const find = async (sender: Sender, { sku }: PlannedProduct): Promise<Product | undefined> =>
  (await retryAfter429(sender, (api, signal) => api.send('GET /products', { query: { sku }, signal })))
    .data[0];

/** @returns the id of the new product */
const create = async (sender: Sender, product: PlannedProduct, keyOf: LineKey): Promise<string> => {
  const { name, price, metadata = {}, ...others } = requireNew(product);
  // A new product has nothing that a null could remove.
  const texts = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== null);
  // What is added to the stock comes after it, so that an interrupted import adds it once.
  const stock = product.added === undefined ? {} : { stock: 0 };
  const body = {
    ...{ name, price, ...others, ...stock, sku: product.sku },
    ...(product.fields.metadata && { metadata: Object.fromEntries(texts) }),
  };
  const post = (key: { readonly idempotencyKey?: string } = {}) =>
    retryAfter429(sender, (api, signal) => api.send('POST /products', { body, ...key, signal }));
  const { data, replayed } = await post({ idempotencyKey: keyOf('POST', body) });
  if (!replayed || (await find(sender, product))?.id === data.id) return data.id;
  // A file that is imported again after its product was deleted adds it again.
  return (await post()).data.id;
};

/** FNV-1a of 32 bits: tells apart what is sent for one line of one file. */
const sumOf = (values: unknown): string => {
  let sum = 0x811c9dc5;
  for (const character of JSON.stringify(values))
    sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0).toString(16);
};
