import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { CompleteChargeLifecycle, ProviderEvent } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import type { Call } from '../api/client.ts';
import { maxPageSize } from '../api/pagination.ts';
import { eventTypes, providerObjectOf } from './event-types.ts';

/** How many pages of a long period are read at most, and of the shortest. They bound the memory and the time of a call. */
const maxPages = 20;
const maxPagesOfShortest = 100;

/** The shortest period, in seconds. It is longer than the periods of two calls overlap, so that each call gets on. */
const shortestPeriod = 600;

type ListedEvents = Awaited<ReturnType<CompleteChargeLifecycle['listProviderEvents']>>;

/**
 * Reads Stripe's list of events from a time on. Of more events than one call reads it reads the oldest, so that the next call can
 * go on behind them. https://docs.stripe.com/api/events/list
 * @throws ApplicationError 'provider-failed' when the shortest period has too many events
 */
export const listProviderEvents = async (call: Call, time: Instant): Promise<ListedEvents> => {
  let from = Math.floor(Instant.milliseconds(time) / 1000);
  let until: number | undefined;
  for (;;) {
    const { events, isComplete } = await read(call, from, until);
    const [newest] = events;
    if (!isComplete) {
      until = from + shorterPeriod(events, from, until);
    } else if (newest === undefined && until !== undefined) {
      [from, until] = [until, until + 2 * (until - from)];
    } else {
      const at = newest === undefined ? null : Instant.at(newest.created * 1000);
      return { events: events.flatMap(providerEventsOf), newest: at };
    }
  }
};

/** A period, in seconds, that is likely to have half the events that were read. */
const shorterPeriod = (events: readonly Stripe.Event[], from: number, until: number | undefined): number => {
  const newest = events[0]?.created ?? from;
  const oldest = events.at(-1)?.created ?? from;
  const period = Math.max(shortestPeriod, Math.floor((newest - oldest) / 2));
  if (until === undefined || period < until - from) return period;
  if (until - from > shortestPeriod) return Math.max(shortestPeriod, Math.floor((until - from) / 2));
  throw new ApplicationError('provider-failed', 'The payment provider lists too many events to read.');
};

/** Reads the events of a period, the newest first. @param until in seconds, exclusive; undefined for no end */
const read = async ({ stripe, budget }: Call, from: number, until: number | undefined) => {
  const created = { gte: from, ...(until !== undefined && { lt: until }) };
  const isShortest = until !== undefined && until - from <= shortestPeriod;
  const events: Stripe.Event[] = [];
  for (let pages = 0; pages < (isShortest ? maxPagesOfShortest : maxPages); pages += 1) {
    const last = events.at(-1);
    const { data, has_more } = await stripe.events.list(
      { created, types: [...eventTypes], limit: maxPageSize, ...(last && { starting_after: last.id }) },
      budget(),
    );
    events.push(...data);
    if (has_more !== true || data.length === 0) return { events, isComplete: true };
  }
  return { events, isComplete: false };
};

const providerEventsOf = ({ id, type, data }: Stripe.Event): readonly ProviderEvent[] => {
  const { id: objectId }: { readonly id?: string } = data.object as object;
  const providerObject = providerObjectOf(type, objectId ?? '');
  return providerObject === undefined ? [] : [{ ...providerObject, eventId: id }];
};
