/** How long a call waits for the batch before it to complete, in milliseconds: that batch may have met a slow statement. */
const maxWaitMs = 2;

/**
 * Coalesces calls into batches. Calls in one turn of the event loop share a batch, and a batch waits for the one before it,
 * so that batches grow with the load. No call joins a batch that was sent: its result may be older than the call.
 *
 * After a batch of one call the next call is sent at once, and the calls behind it in the same turn wait for it.
 * @param load resolves to one result for all calls of a batch
 * @returns the coalesced call, whose promise is shared by its batch
 */
export const createBatcher = <Item, Result>(
  load: (items: readonly Item[]) => Promise<Result>,
): ((item: Item) => Promise<Result>) => {
  let open: { readonly items: Item[]; readonly result: Promise<Result> } | undefined;
  let inFlight = 0;
  let hadSeveral = true;
  let onCompleted: (() => void) | undefined;

  const batchCompleted = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, maxWaitMs);
      onCompleted = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const send = async (items: readonly Item[]): Promise<Result> => {
    if (inFlight > 0) await batchCompleted();
    await (hadSeveral ? endOfTurn() : undefined);
    open = undefined;
    hadSeveral = items.length > 1;
    inFlight += 1;
    try {
      return await load(items);
    } finally {
      inFlight -= 1;
      onCompleted?.();
    }
  };

  const openBatch = () => {
    const items: Item[] = [];
    open = { items, result: send(items) };
    return open;
  };

  return (item) => {
    const { items, result } = open ?? openBatch();
    items.push(item);
    return result;
  };
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
