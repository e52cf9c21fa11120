// @ts-nocheck
import { changesOf, missingOfNew, RejectedError, requireAllowed, stockToAddTo } from './compare.js';
import { sendAfter429, workThrough } from './retry-after-429.ts';
import { addStock, finishReplacing, replaceStock } from './stock.ts';

/**
 * Adds the products whose SKUs are new, and updates what differs of the others, as `portico import products` does; what it changes of
 * counted stocks is in their history. The same file can be sent again at any time: an idempotency key follows from its content, the
 * line, and what is sent, and no file is added to a stock twice.
 * @param file its `id` and `name`
 * @param signal ends it; what has been sent by then counts
 * @param onProgress gets the counts: `added`, `updated`, `unchanged`, `notAgain` (of the unchanged, those to whose stock the file was
 * added before), `emptied` (of each product with one, the fields that an empty cell has emptied), `rejected` (`line`, `sku`, `reason`, and
 * as `emptied` the fields that would have been)
 * @throws PorticoError when no product can be sent any more
 */
export const sendProducts = async ({ api, signal, file, products, options, onProgress }) => {
  const counts = { done: 0, added: 0, updated: 0, unchanged: 0, notAgain: 0, emptied: [], rejected: [] };
  const send = (target, request) => sendAfter429(api, signal, target, request);
  await workThrough(
    products,
    () => signal.aborted,
    async (product) => {
      try {
        const { outcome, isNotAgain, emptied = [] } = await upsert({ send, file, options }, product);
        counts[outcome] += 1;
        if (isNotAgain) counts.notAgain += 1;
        if (emptied.length > 0) counts.emptied.push(emptied);
      } catch (error) {
        if (!isAboutProduct(error)) throw error;
        const { emptied = [] } = error;
        counts.rejected.push({ line: product.line, sku: product.sku, reason: reasonOf(error), emptied });
      }
      counts.done += 1;
      onProgress(counts);
    },
  );
  return counts;
};

const upsert = async ({ send, file, options }, product) => {
  const find = async () => (await send('GET /products', { query: { sku: product.sku } })).data[0];
  const keyOf = (target, ...what) => `import-${file.id}-${product.line}-${sumOf([target, ...what])}`;
  const existing = await find();
  if (existing === undefined) {
    const created = await create({ send, find, keyOf }, product);
    if (product.added > 0) await addStock(send, file, product.added, created);
    return { outcome: 'added' };
  }
  const { id, version } = existing;
  const all = changesOf(product, existing, options);
  const emptied = requireAllowed(all, existing, options);
  const { stock: target, ...rest } = all;
  const isReplaced = await finishReplacing(send, file, id);
  const changes = isReplaced || target === undefined ? rest : { ...rest, stock: target };
  if (product.added > 0) stockToAddTo(existing);
  const { stock, ...others } = changes;
  // The history shows changes of a counted stock. One that begins or ends to be counted has none.
  const isCounted = typeof stock === 'number' && existing.stock !== null;
  const body = isCounted ? others : changes;
  if (Object.keys(body).length > 0)
    await send('PATCH /products/{id}', {
      path: { id },
      body,
      idempotencyKey: keyOf('PATCH', id, version, body),
    });
  if (isCounted) await replaceStock(send, file, existing, stock, keyOf);
  const isAdded = product.added > 0 && (await addStock(send, file, product.added, id));
  const isUpdated = Object.keys(changes).length > 0 || isReplaced || isAdded;
  return { outcome: isUpdated ? 'updated' : 'unchanged', isNotAgain: product.added > 0 && !isAdded, emptied };
};

/** @returns the id of the new product */
const create = async ({ send, find, keyOf }, product) => {
  const missing = missingOfNew(product);
  if (missing !== undefined) throw new RejectedError(missing);
  // What is added to the stock comes after it, so that an interrupted import adds it once.
  const stock = product.added === undefined ? {} : { stock: 0 };
  const body = { ...withoutRemovals(product.fields), ...stock, sku: product.sku };
  const { data, replayed } = await send('POST /products', { body, idempotencyKey: keyOf('POST', body) });
  if (!replayed || (await find())?.id === data.id) return data.id;
  // A file that is imported again after its product was deleted adds it again.
  return (await send('POST /products', { body })).data.id;
};

/** A new product has nothing that a null could remove. */
const withoutRemovals = ({ metadata, ...fields }) =>
  metadata === undefined
    ? fields
    : {
        ...fields,
        metadata: Object.fromEntries(Object.entries(metadata).filter(([, text]) => text !== null)),
      };

/** Whether only this product cannot be sent. */
const isAboutProduct = (error) =>
  error instanceof RejectedError || [404, 409, 412, 422].includes(error.status);

const reasonOf = ({ message, details = [] }) =>
  details.length === 0 ? message : details.map(({ field, message: text }) => `${field} ${text}`).join('; ');

/** FNV-1a of 32 bits: tells apart what is sent for one line of one file. */
const sumOf = (values) => {
  let sum = 0x811c9dc5;
  for (const character of JSON.stringify(values)) sum = Math.imul(sum ^ character.codePointAt(0), 0x01000193);
  return (sum >>> 0).toString(16);
};
