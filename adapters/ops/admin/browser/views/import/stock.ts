// @ts-nocheck
/** What a column for the stock does, and what each means. */
export const stockUses = [
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
const markOf = ({ id }) => `[${id.slice(-8)}]`;

const reasonOf = (file, verb) =>
  `${verb} by the import of ${[...file.name].slice(0, 80).join('')} ${markOf(file)}`;

/**
 * Whether this file was added to a stock before. An idempotency key expires after a day, the history does not.
 * @param send sends a request of the API
 */
export const isAddedBefore = async (send, file, productId) => {
  for (let cursor: unknown; ; ) {
    const query = { product_id: productId, sort: '-id', limit: historyPage, ...(cursor && { cursor }) };
    const { data, pagination } = await send('GET /stock-changes', { query });
    if (data.some(({ reason }) => reason?.startsWith('Added by') && reason.endsWith(markOf(file))))
      return true;
    cursor = pagination.next_cursor;
    if (cursor === null) return false;
  }
};

/**
 * Adds to a stock, once for each file.
 * @returns false when the file was added before
 */
export const addStock = async (send, file, added, productId) => {
  if (await isAddedBefore(send, file, productId)) return false;
  await send('POST /stock-changes', {
    body: { product_id: productId, change: added, reason: reasonOf(file, 'Added') },
    // The same for each try, whatever the stock is: two tries at once add once.
    idempotencyKey: `import-add-${file.id}-${productId}`,
  });
  return true;
};

/** Changes of stocks without a response: they may have been made, and must be sent again as they were. */
const unanswered = new Map();

const placeOf = (file, productId) => `${file.id} ${productId}`;

/**
 * Makes a counted stock what a line says, by the difference, so that the history shows it and sales meanwhile count.
 * @param keyOf returns an idempotency key for what is sent
 */
export const replaceStock = async (send, file, { id, version, stock: before }, stock, keyOf) => {
  const change = (Math.round(stock * 1000) - Math.round(before * 1000)) / 1000;
  const body = { product_id: id, change, reason: reasonOf(file, 'Replaced') };
  unanswered.set(placeOf(file, id), { body, idempotencyKey: keyOf('stock', id, version, body) });
  await finishReplacing(send, file, id);
};

/**
 * Sends a change of this file without a response again. The stock has changed since, so another difference would count twice.
 * @returns whether there was one
 */
export const finishReplacing = async (send, file, productId) => {
  const place = placeOf(file, productId);
  const request = unanswered.get(place);
  if (request === undefined) return false;
  try {
    await send('POST /stock-changes', request);
  } catch (error) {
    if ([404, 409, 422].includes(error.status)) unanswered.delete(place);
    throw error;
  }
  return unanswered.delete(place);
};
