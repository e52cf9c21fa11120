import type { ApiKey } from '#domain/api-key.ts';
import { Erasure } from '#domain/erasure.ts';
import { type Event, isKnownEvent, type SubjectType } from '#domain/event.ts';
import type { Order, OrderId } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Resource } from '#domain/resource.ts';
import type { Review } from '#domain/review.ts';
import type { User, UserId } from '#domain/user.ts';
import { readAll } from '../pages.ts';
import type { EventPageRequest, EventReader } from '../ports/events.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { withAddedFields } from './added-fields.ts';

/** How many events one unit of work reads, and replaces where it must. */
export const erasedEventsBatchSize = 100;

/** How the personal data of each subject is erased. Those that have none are not here. */
const erasures: ReadonlyMap<SubjectType, (data: never) => Resource> = new Map<
  SubjectType,
  (data: never) => Resource
>([
  // Their status at that version is no personal data.
  [
    'user',
    (user: User) =>
      user.status === 'erased' ? user : { ...Erasure.ofUser(user, user.updatedAt), status: user.status },
  ],
  ['order', (order: Order) => Erasure.ofOrder(order, order.updatedAt)],
  ['payment', (payment: Payment) => Erasure.ofPayment(payment, payment.updatedAt)],
  ['refund', (refund: Refund) => Erasure.ofRefund(refund, refund.updatedAt)],
  ['review', (review: Review) => Erasure.ofReview(review, review.updatedAt)],
  // The keys themselves are removed.
  ['api_key', (key: ApiKey) => ({ ...key, name: 'Erased' })],
]);

/** The event without personal data, and without what a client chose: the key and the id of the request. */
export const erased = (event: Event): Event => ({
  ...event,
  data: erasedData(event),
  cause: { ...event.cause, requestId: null, idempotencyKey: null },
});

const erasedData = (event: Event): Resource => {
  const { data, subject } = event;
  if (!isKnownEvent(event)) return withoutFields(data);
  const erase = erasures.get(subject.type) as ((data: Resource) => Resource) | undefined;
  return erase === undefined
    ? data
    : { ...erase(withAddedFields(subject.type, data)), version: data.version };
};

/** Which fields are personal is unknown of a type of a later release, and none of them is shown. */
const withoutFields = ({ id, version, createdAt, updatedAt }: Resource): Resource => ({
  ...{ id, version, createdAt, updatedAt },
});

/** Erases the personal data in the events of a user and of their orders, a batch in each unit of work. */
export async function* eraseEvents(unitOfWork: UnitOfWork, userId: UserId): AsyncGenerator<void, void> {
  yield* eraseEach(unitOfWork, (events, request) => events.ofUser(userId, request));
  const orderIds: OrderId[] = [];
  await unitOfWork.read(async ({ orders }) => {
    for await (const { id } of readAll(orders, { userId })) orderIds.push(id);
  });
  for (const orderId of orderIds) {
    yield* eraseEach(unitOfWork, async (events, request) => (await events.page({ orderId }, request)).rows);
  }
}

async function* eraseEach(
  unitOfWork: UnitOfWork,
  next: (events: EventReader, request: EventPageRequest) => Promise<readonly Event[]>,
): AsyncGenerator<void, void> {
  for (let after = 0, hasMore = true; hasMore; ) {
    const found = await unitOfWork.read(({ events }) =>
      next(events, { after, limit: erasedEventsBatchSize }),
    );
    const left = found.filter((event) => JSON.stringify(event) !== JSON.stringify(erased(event)));
    if (left.length > 0) await unitOfWork.run(({ events }) => events.replace(left.map(erased)));
    yield;
    hasMore = found.length === erasedEventsBatchSize;
    after = found.at(-1)?.sequence ?? 0;
  }
}
