import type { Event, NewEvent } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import type { Harness } from './harness.ts';
import { aProduct, noon } from './samples.ts';

type EventHarness = Pick<Harness, 'unitOfWork' | 'numberEvents'>;

/** An event of a new product, unless it says otherwise. Its subject is its data. */
export const anEvent = (details: Partial<NewEvent> = {}): NewEvent => {
  const data: Resource = details.data ?? aProduct();
  return {
    ...{ type: 'product.created', timestamp: noon, orderId: null, userId: null, changed: [], data },
    subject: { type: 'product', id: data.id, version: data.version },
    cause: { kind: 'housekeeping', requestId: null, userId: null, idempotencyKey: null },
    ...details,
  };
};

/** Numbers until nothing is left, where the store does not number in its transactions. @returns how many */
export const numberAll = async (store: EventHarness): Promise<number> => {
  let count = 0;
  for (let hasMore = store.numberEvents !== undefined; hasMore; ) {
    const batch = await store.numberEvents?.();
    count += batch?.numbered ?? 0;
    hasMore = batch?.hasMore ?? false;
  }
  return count;
};

/** Appends events in one unit of work, and makes them visible. */
export const appendTo = async (store: EventHarness, list: readonly NewEvent[]): Promise<void> => {
  await store.unitOfWork.run(({ events }) => events.append(list));
  await numberAll(store);
};

/** All visible events behind a sequence. */
export const visibleEvents = async (
  { unitOfWork }: EventHarness,
  after: number,
): Promise<readonly Event[]> => {
  const found: Event[] = [];
  for (let hasMore = true; hasMore; ) {
    const from = found.at(-1)?.sequence ?? after;
    const page = await unitOfWork.read(({ events }) => events.page({}, { after: from, limit: 100 }));
    if (page.hasMore && (page.rows.at(-1)?.sequence ?? from) <= from)
      throw new Error(`Events behind ${from} do not end: their page is behind none of them.`);
    found.push(...page.rows);
    ({ hasMore } = page);
  }
  return found;
};
