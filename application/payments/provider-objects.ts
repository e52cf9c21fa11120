import type { Instant } from '#domain/instant.ts';
import { text } from '#domain/text.ts';
import type { Place } from '../ports/charge-lifecycle.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

export const placeKinds = ['charge', 'refund', 'dispute'] as const satisfies readonly Place['kind'][];

const reference = text(1, 255);

/**
 * Whether a place can be noted. Anything can be sent as an event, and a provider from outside may list anything: a reference that no store
 * can hold would fail with each try.
 */
export const isPlace = (place: { readonly kind: unknown; readonly reference: unknown }): place is Place =>
  placeKinds.includes(place.kind as Place['kind']) &&
  typeof place.reference === 'string' &&
  reference.violation(place.reference) === undefined;

/** How many places one unit of work notes. */
const batchSize = 100;

/**
 * Notes places that events have named, so that each is looked at. They are durable when it resolves. It notes them in an order of
 * their own, so that two processes do not deadlock.
 */
export const notePlaces = async (
  unitOfWork: UnitOfWork,
  provider: string,
  places: readonly Place[],
  at: Instant,
): Promise<void> => {
  const sorted = [...places].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  for (let start = 0; start < sorted.length; start += batchSize) {
    const batch = sorted.slice(start, start + batchSize);
    await unitOfWork.run(async ({ lookUps }) => {
      for (const { kind, reference } of batch) await lookUps.note(provider, { kind, reference }, at);
    });
  }
};

const orderOf = ({ kind, reference }: Place): string => `${kind} ${reference}`;
